using MgbaBridge.Gateway.Api.Keys;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>All operations of the gateway.</summary>
internal static class OperationCatalog
{
    /// <summary>In the order in which the reference shows them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [.. KeyOperations.All];

    /// <summary>Adds what serves them.</summary>
    public static void AddOperations(this IServiceCollection services) => services.AddSingleton(new Api.WebSockets.WebSocketHandlers(All));

    /// <summary>Adds the routes of all operations.</summary>
    public static void MapOperations(this IEndpointRouteBuilder routes)
    {
        var visitor = new OperationRoutes(routes);
        foreach (var operation in All)
        {
            operation.Accept(visitor);
        }
    }
}
