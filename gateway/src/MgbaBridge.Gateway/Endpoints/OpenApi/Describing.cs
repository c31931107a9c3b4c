namespace MgbaBridge.Gateway.Endpoints.OpenApi;

/// <summary>Puts an endpoint into the API's document.</summary>
internal static class Describing
{
    /// <summary>Says what the document says about it.</summary>
    public static TBuilder Describe<TBuilder>(this TBuilder endpoint, Operation operation)
        where TBuilder : IEndpointConventionBuilder => endpoint.WithMetadata(operation);
}
