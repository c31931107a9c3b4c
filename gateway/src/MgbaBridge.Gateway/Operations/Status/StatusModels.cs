using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Status;

/// <summary>How one emulator is.</summary>
public sealed record StatusAnswer
{
    /// <summary>Its name in paths below <c>/i/</c>.</summary>
    public required string Id { get; init; }

    /// <summary>How it is.</summary>
    public required EmulatorState State { get; init; }

    /// <summary>Since when.</summary>
    public required DateTimeOffset Since { get; init; }

    /// <summary>What is wrong and what to do; absent when all is well.</summary>
    public string? Detail { get; init; }

    /// <summary>The last thing the script announced that bears on this, such as <c>game.closed</c>.</summary>
    public string? LastAnnounced { get; init; }

    /// <summary>When it announced that.</summary>
    public DateTimeOffset? LastAnnouncedAt { get; init; }

    /// <summary>Why the save file does not have what the game or a client saved; absent when it has. The emulator keeps it and tries again each second.</summary>
    public string? SaveProblem { get; init; }

    /// <summary>Who has the lockstep lease; absent when nobody has it.</summary>
    public string? LeaseHolder { get; init; }

    /// <summary>The script's version.</summary>
    public string? Script { get; init; }

    /// <summary>mGBA's version.</summary>
    public string? Mgba { get; init; }

    /// <summary>Where the script runs: <c>qt</c>, <c>headless</c> or <c>unknown</c>.</summary>
    public string? Host { get; init; }

    /// <summary>The port the script listens on.</summary>
    public int? Port { get; init; }

    /// <summary>The epoch when the newest connection was greeted or the game was opened, whichever was later.</summary>
    public string? Epoch { get; init; }

    /// <summary>The game's title.</summary>
    public string? Title { get; init; }

    /// <summary>The game's code.</summary>
    public string? Code { get; init; }

    /// <summary><c>gba</c>, <c>gb</c> or <c>none</c>.</summary>
    public string? Platform { get; init; }

    /// <summary>What this emulator can do.</summary>
    public IReadOnlyList<string> Capabilities { get; init; } = [];

    /// <summary>Open connections to the script.</summary>
    public int Connections { get; init; }

    /// <summary>Requests sent and not answered.</summary>
    public int InFlight { get; init; }

    /// <summary>Requests that wait for capacity.</summary>
    public int Waiting { get; init; }

    /// <summary>The clients that are connected by the protocols of other emulators; absent when there are none.</summary>
    public IReadOnlyList<DoorClientAnswer>? Clients { get; init; }

    /// <summary>The process, of an emulator that the gateway started.</summary>
    public ProcessAnswer? Process { get; init; }

    /// <summary>It as a caller sees it: the paths of the machine and the addresses of others are for owners.</summary>
    internal StatusAnswer For(Caller caller) => caller.Role >= Role.Owner ? this : this with
    {
        Detail = ShownText.For(caller, Detail),
        Clients = Clients is null ? null : [.. Clients.Select(static client => client with { Caller = null })],
        Process = Process?.For(caller),
    };

    /// <summary>The answer for a script that was found and cannot be used.</summary>
    internal static StatusAnswer Of(UnusableScript script) => new() { Id = script.Id, State = script.State, Since = script.Since, Detail = script.Detail, Port = script.Port };

    /// <summary>The answer for one emulator.</summary>
    internal static StatusAnswer Of(EmulatorClient emulator, OwnedEmulator? owned = null, IReadOnlyList<DoorClient>? clients = null)
    {
        var health = emulator.Health;
        var hello = health.Hello;
        return new StatusAnswer
        {
            Id = emulator.Id,
            State = health.State,
            Since = health.Since,
            Detail = health.Detail,
            LastAnnounced = health.LastAnnounced,
            LastAnnouncedAt = health.LastAnnouncedAt,
            SaveProblem = health.SaveProblem,
            LeaseHolder = health.LeaseHolder,
            Script = hello?.Script,
            Mgba = hello?.Mgba,
            Host = hello?.Host,
            Port = hello?.Port,
            Epoch = hello is null ? null : (health.Game?.Epoch ?? hello.Epoch).ToString(),
            Title = health.Title,
            Code = health.Code,
            Platform = health.Platform,
            Capabilities = hello?.Capabilities ?? [],
            Connections = emulator.Connections,
            InFlight = emulator.InFlight,
            Waiting = emulator.Waiting,
            Clients = clients is null or [] ? null : [.. clients.Select(DoorClientAnswer.Of)],
            Process = owned is null ? null : ProcessAnswer.Of(owned),
        };
    }
}

/// <summary>A client that is connected by the protocol of another emulator.</summary>
/// <param name="Protocol">Its protocol, such as <c>bizhawk</c>.</param>
/// <param name="Caller">Its address; for owners.</param>
/// <param name="Since">When it connected.</param>
/// <param name="LastSeen">When its last request came.</param>
/// <param name="Requests">How many requests it has sent.</param>
/// <param name="Last">What its last request was.</param>
public sealed record DoorClientAnswer(string Protocol, string? Caller, DateTimeOffset Since, DateTimeOffset LastSeen, long Requests, string? Last)
{
    /// <summary>The answer for a client.</summary>
    internal static DoorClientAnswer Of(DoorClient client) => new(client.Door, client.Caller, client.Since, client.LastSeen, client.Requests, client.Last);
}

/// <summary>Whether the emulator answers.</summary>
/// <param name="Ready">Whether it does.</param>
/// <param name="State">How it is.</param>
/// <param name="Since">Since when.</param>
/// <param name="Detail">What is wrong and what to do; absent when all is well.</param>
public readonly record struct ReadyAnswer(bool Ready, EmulatorState State, DateTimeOffset Since, string? Detail);
