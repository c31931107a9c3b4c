using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Fleet;

/// <summary>What callers see of the fleet: the paths of its machines are for the role owner.</summary>
internal static class FleetShown
{
    public static FleetSession For(this FleetSession session, Caller caller) => session with { Rom = ShownText.For(caller, session.Rom), Detail = ShownText.For(caller, session.Detail) };

    public static FleetEvent For(this FleetEvent happened, Caller caller) => happened with { Detail = ShownText.For(caller, happened.Detail) };
}

/// <summary>The sessions that were created.</summary>
/// <param name="Ids">Their ids; their paths are below `/i/{id}` when they run.</param>
public sealed record CreatedSessionsAnswer(IReadOnlyList<string> Ids);

/// <summary>Sessions in the order of their ids.</summary>
/// <param name="Sessions">The sessions.</param>
public sealed record SessionsAnswer(IReadOnlyList<FleetSession> Sessions);

/// <summary>Sessions that were deleted.</summary>
/// <param name="Deleted">How many.</param>
public sealed record DeletedSessionsAnswer(int Deleted);

/// <summary>Hosts, those that live first.</summary>
/// <param name="Hosts">The hosts.</param>
public sealed record HostsAnswer(IReadOnlyList<FleetHost> Hosts);

/// <summary>What happened, oldest first.</summary>
/// <param name="Events">The events.</param>
public sealed record FleetEventsAnswer(IReadOnlyList<FleetEvent> Events);

/// <summary>The fleet in numbers.</summary>
/// <param name="Fleet">Its name.</param>
/// <param name="Hosts">Hosts that are ready.</param>
/// <param name="Capacity">Emulators that they take.</param>
/// <param name="Pending">Sessions that wait for a host.</param>
/// <param name="Placed">Sessions that start.</param>
/// <param name="Running">Sessions that run.</param>
/// <param name="Deleting">Sessions that end.</param>
/// <param name="StateSeconds">Age of the newest state of the running session where it is oldest; 0 when none runs. It grows while states cannot be stored, or the game is paused.</param>
/// <param name="StateSession">That session, or null.</param>
/// <param name="StateProblem">Why its states are not stored; empty when they are.</param>
/// <param name="EngineProblem">That the engine that starts hosts failed last, or that its jobs cannot use the database, and why; empty when it works, or there is none.</param>
public sealed record FleetStatusAnswer(string Fleet, int Hosts, int Capacity, long Pending, long Placed, long Running, long Deleting, double StateSeconds, string? StateSession,
    string StateProblem, string EngineProblem);

/// <summary>The JSON of the fleet.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(CreatedSessionsAnswer))]
[JsonSerializable(typeof(SessionsAnswer))]
[JsonSerializable(typeof(DeletedSessionsAnswer))]
[JsonSerializable(typeof(HostsAnswer))]
[JsonSerializable(typeof(FleetEventsAnswer))]
[JsonSerializable(typeof(FleetStatusAnswer))]
[JsonSerializable(typeof(FleetSession))]
internal sealed partial class FleetJson : JsonSerializerContext;
