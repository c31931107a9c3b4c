namespace MgbaBridge.Gateway.Endpoints.OpenApi;

/// <summary>A body of a request or an answer.</summary>
/// <param name="MediaType">Its media type.</param>
/// <param name="Shape">The type that its JSON is made from; null for raw bytes or text.</param>
/// <param name="Example">An example as JSON, or null.</param>
public sealed record Content(string MediaType, Type? Shape, string? Example)
{
    /// <summary>A JSON body with an example.</summary>
    public static Content Json<T>(string example) => new("application/json", typeof(T), example);

    /// <summary>Raw bytes.</summary>
    public static Content Bytes(string mediaType = "application/octet-stream") => new(mediaType, null, null);
}
