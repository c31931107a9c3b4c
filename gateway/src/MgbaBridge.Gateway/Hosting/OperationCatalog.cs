using MgbaBridge.Gateway.Api.Agents;
using MgbaBridge.Gateway.Api.Batch;
using MgbaBridge.Gateway.Api.Events;
using MgbaBridge.Gateway.Api.Files;
using MgbaBridge.Gateway.Api.Fleet;
using MgbaBridge.Gateway.Api.Freezes;
using MgbaBridge.Gateway.Api.Game;
using MgbaBridge.Gateway.Api.Keys;
using MgbaBridge.Gateway.Api.Lease;
using MgbaBridge.Gateway.Api.Memory;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.Owned;
using MgbaBridge.Gateway.Api.Recordings;
using MgbaBridge.Gateway.Api.Registers;
using MgbaBridge.Gateway.Api.Screen;
using MgbaBridge.Gateway.Api.Search;
using MgbaBridge.Gateway.Api.States;
using MgbaBridge.Gateway.Api.Status;
using MgbaBridge.Gateway.Api.Symbols;
using MgbaBridge.Gateway.Api.Traffic;
using MgbaBridge.Gateway.Api.Video;
using MgbaBridge.Gateway.Api.Waits;
using MgbaBridge.Gateway.Api.WebSockets;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>All operations of the gateway.</summary>
internal static class OperationCatalog
{
    /// <summary>In the order in which the reference shows them.</summary>
    public static IReadOnlyList<Operation> All => List.All;

    /// <summary>The operations and the entries of batches.</summary>
    public static OperationList List { get; } = ListWith([]);

    /// <summary>The same with more operations.</summary>
    public static OperationList ListWith(IEnumerable<Operation> more)
    {
        Operation[] operations =
        [
            .. StatusOperations.All,
            .. ListOperations.All,
            .. MemoryOperations.All,
            .. FreezeOperations.All,
            .. KeyOperations.All,
            .. RegisterOperations.All,
            .. ScreenOperations.All,
            .. VideoOperations.All,
            .. StateOperations.All,
            .. GameOperations.All,
            .. FileOperations.All,
            .. WaitOperations.All,
            .. EchoOperations.All,
            .. SymbolOperations.All,
            .. PropertyOperations.All,
            .. ValueOperations.All,
            .. MemoryValueOperations.All,
            .. EventOperations.All,
            .. WebSocketEndpoint.All,
            .. SearchOperations.All,
            .. RecordingOperations.All,
            .. RewindOperations.All,
            .. StoreOperations.All,
            .. EmulatorOperations.All,
            .. FleetOperations.All,
            .. AgentOperations.All,
            .. TrafficOperations.All,
            .. more,
        ];

        // batches and steps have the other operations as items
        var entries = new BatchEntries([BatchOperations.Guard, .. operations.Select(operation => operation.Batch).OfType<BatchEntry>()]);
        return new OperationList([.. operations, BatchOperations.Run(entries), .. LeaseOperations.All(entries)]);
    }

    /// <summary>Adds the list and what serves it.</summary>
    public static void AddOperations(this IServiceCollection services)
    {
        services.AddSingleton(List);
        services.AddSingleton(provider => new WebSocketHandlers(provider.GetRequiredService<OperationList>().All));
    }

    /// <summary>Adds the routes of the operations that exist for each emulator, or of those that exist once.</summary>
    public static void MapOperations(this IEndpointRouteBuilder routes, bool isPerEmulator)
    {
        foreach (var operation in routes.ServiceProvider.GetRequiredService<OperationList>().All.Where(operation => operation.IsPerEmulator == isPerEmulator))
        {
            routes.Map(operation);
        }
    }
}
