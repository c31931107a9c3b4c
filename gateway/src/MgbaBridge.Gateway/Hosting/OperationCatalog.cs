using MgbaBridge.Gateway.Api.Keys;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.WebSockets;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>All operations of the gateway.</summary>
internal static class OperationCatalog
{
    /// <summary>In the order in which the reference shows them.</summary>
    public static IReadOnlyList<Operation> All { get; } =
    [
        .. ListOperations.All,
        .. KeyOperations.All,
    ];

    /// <summary>Adds the list and what serves it.</summary>
    public static void AddOperations(this IServiceCollection services)
    {
        services.AddSingleton(new OperationList(All));
        services.AddSingleton(provider => new WebSocketHandlers(provider.GetRequiredService<OperationList>().All));
    }

    /// <summary>Adds the routes of the operations that exist for each emulator, or of those that exist once.</summary>
    public static void MapOperations(this IEndpointRouteBuilder routes, bool isPerEmulator)
    {
        var visitor = new OperationRoutes(routes);
        foreach (var operation in routes.ServiceProvider.GetRequiredService<OperationList>().All.Where(operation => operation.IsPerEmulator == isPerEmulator))
        {
            operation.Accept(visitor);
        }
    }
}
