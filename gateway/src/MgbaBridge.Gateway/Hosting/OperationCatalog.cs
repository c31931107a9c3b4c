using MgbaBridge.Gateway.Operations.Agents;
using MgbaBridge.Gateway.Operations.Batch;
using MgbaBridge.Gateway.Operations.Cartridge;
using MgbaBridge.Gateway.Operations.Debug;
using MgbaBridge.Gateway.Operations.Files;
using MgbaBridge.Gateway.Operations.Fleet;
using MgbaBridge.Gateway.Operations.Cheats;
using MgbaBridge.Gateway.Operations.Freezes;
using MgbaBridge.Gateway.Operations.Game;
using MgbaBridge.Gateway.Operations.Guests;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Memory;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.Recordings;
using MgbaBridge.Gateway.Operations.Registers;
using MgbaBridge.Gateway.Operations.Screen;
using MgbaBridge.Gateway.Operations.Search;
using MgbaBridge.Gateway.Operations.States;
using MgbaBridge.Gateway.Operations.Status;
using MgbaBridge.Gateway.Operations.Symbols;
using MgbaBridge.Gateway.Operations.Traffic;
using MgbaBridge.Gateway.Operations.Vector;
using MgbaBridge.Gateway.Operations.Video;
using MgbaBridge.Gateway.Operations.Votes;
using MgbaBridge.Gateway.Operations.Waits;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.Http.Streams;
using MgbaBridge.Gateway.Interfaces.WebSockets;

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
            .. CheatOperations.All,
            .. KeyOperations.All,
            .. SensorOperations.All,
            .. ClockOperations.All,
            .. RegisterOperations.All,
            .. DebugOperations.All,
            .. DisassemblyOperations.All,
            .. HistoryOperations.All,
            .. TraceOperations.All,
            .. BacktraceOperations.All,
            .. HardwareOperations.All,
            .. ScreenOperations.All,
            .. VideoOperations.All,
            .. StateOperations.All,
            .. SaveDataOperations.All,
            .. GameOperations.All,
            .. FileOperations.All,
            .. WaitOperations.All,
            .. SymbolOperations.All,
            .. PropertyOperations.All,
            .. ValueOperations.All,
            .. MemoryValueOperations.All,
            EchoEndpoint.Send,
            EventEndpoint.Subscribe,
            PictureStream.Operation,
            SoundStream.Operation,
            WebSocketEndpoint.Connect,
            HolderStream.Operation,
            .. VectorOperations.All,
            .. LocalStepOperations.All,
            .. ScenarioOperations.All,
            .. SearchOperations.All,
            .. RecordingOperations.All,
            RecordingVideoEndpoint.Operation,
            .. RewindOperations.All,
            RewindVideoEndpoint.Operation,
            .. StoreOperations.All,
            .. EmulatorOperations.All,
            .. RomOperations.All,
            RomUploadEndpoint.Operation,
            .. FleetOperations.All,
            .. GuestOperations.All,
            .. AgentOperations.All,
            .. TrafficOperations.All,
            .. VoteOperations.All,
            .. more,
        ];

        // batches and steps have the other operations as items
        var entries = new BatchEntries(BatchOperations.Guard, operations);
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
