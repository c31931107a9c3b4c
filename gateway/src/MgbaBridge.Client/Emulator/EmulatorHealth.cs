using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Client.Emulator;

/// <summary>The state of an emulator, since when, and the next step.</summary>
/// <param name="State">The state.</param>
/// <param name="Since">When it changed to this state.</param>
/// <param name="Detail">What is wrong and what to do; null if nothing is wrong.</param>
/// <param name="Hello">The script's last reply to hello, or null.</param>
/// <param name="LastAnnounced">The last event of the script that concerns the state, such as <c>game.closed</c>, or null.</param>
/// <param name="LastAnnouncedAt">When that event arrived.</param>
public sealed record EmulatorHealth(
    EmulatorState State, DateTimeOffset Since, string? Detail, HelloReply? Hello, string? LastAnnounced, DateTimeOffset? LastAnnouncedAt)
{
    /// <summary>Who has the lockstep lease, or null.</summary>
    public string? LeaseHolder { get; init; }

    /// <summary>Why the save file does not have what was saved, or null: the emulator tries again.</summary>
    public string? SaveProblem { get; init; }

    /// <summary>How often the game got save data of a client, or another save file, since the script was loaded: states from before do not go with it.</summary>
    public long SavesSent { get; init; }

    /// <summary>Why the script refuses the gateway, or null.</summary>
    public ErrorCode? Failure { get; init; }

    /// <summary>The game that runs, or null if it is that of <see cref="Hello"/>.</summary>
    public GameIdentity? Game { get; init; }

    /// <summary>The title of the game, or null.</summary>
    public string? Title => Game is null ? Hello?.Title : Game.Title;

    /// <summary>The code of the game, or null.</summary>
    public string? Code => Game is null ? Hello?.Code : Game.Code;

    /// <summary><c>gba</c>, <c>gb</c> or <c>none</c>; null before the script was greeted.</summary>
    public string? Platform => Game?.Platform ?? Hello?.Platform;

    /// <summary>Whether frames run.</summary>
    public bool Advances => State is EmulatorState.Ready or EmulatorState.Leased;

    /// <summary>Whether the script replies, even if no frame runs.</summary>
    public bool Answers => Advances || State is EmulatorState.Paused or EmulatorState.Halted or EmulatorState.Stopped or EmulatorState.Crashed or EmulatorState.NoGame;

    /// <summary>Whether a connection to the script is open, even if it is silent.</summary>
    public bool IsConnected => Hello is not null && (Answers || State == EmulatorState.Silent);

    /// <summary>The state of a responsive script, from <c>machine</c> in its hello (docs/protocol.md).</summary>
    public static EmulatorState StateOf(string machine) => machine switch
    {
        "paused" => EmulatorState.Paused,
        "halted" => EmulatorState.Halted,
        "stopped" => EmulatorState.Stopped,
        "crashed" => EmulatorState.Crashed,
        "none" => EmulatorState.NoGame,
        _ => EmulatorState.Ready,
    };

    /// <summary>Why no frame runs although the script replies, and the next step; null for other states.</summary>
    public static string? DetailOf(EmulatorState state) => state switch
    {
        EmulatorState.Paused => "The game is paused. Reads, writes, states and reset are answered; presses, waits and steps wait until it is resumed. "
            + "Resume it where it was paused: in the window, by the operation emulators.run if the gateway started it, or by the control command resume of mgba-headless.",
        EmulatorState.Halted => "A debugger has halted the game between two instructions. Reads, writes, states and reset are answered; presses, waits and steps wait until "
            + "it runs. The operation debug.continue lets it run.",
        EmulatorState.Stopped => "The game stopped its machine (STOP without a wake-up interrupt). Reset the game, or load a state.",
        EmulatorState.Crashed => "The game crashed: it jumped to an invalid address. Reset the game, or load a state from before.",
        EmulatorState.NoGame => "No game is loaded. Load one in mGBA (mgba-headless: the control command load).",
        _ => null,
    };

    /// <summary>The state that follows from the state of the link.</summary>
    internal static EmulatorState StateOf(LinkState link) => link switch
    {
        { Phase: LinkPhase.Up } => EmulatorState.Ready,
        { Phase: LinkPhase.Silent } => EmulatorState.Silent,
        { Phase: LinkPhase.Connecting } => EmulatorState.Connecting,
        { Failure.Kind: CommandFailureKind.NotOurs } => EmulatorState.OtherProgram,
        { Failure.Kind: CommandFailureKind.WrongVersion } => EmulatorState.WrongVersion,
        { Failure.Kind: CommandFailureKind.Rejected } => EmulatorState.Refused,
        _ => EmulatorState.ScriptMissing,
    };
}

/// <summary>A game that was opened, or closed, after the script was greeted.</summary>
/// <param name="Epoch">The epoch that began then.</param>
/// <param name="Title">Its internal title; null for none.</param>
/// <param name="Code">Its code; null for none.</param>
/// <param name="Platform"><c>gba</c>, <c>gb</c>, or <c>none</c> if no game is open.</param>
public sealed record GameIdentity(Epoch Epoch, string? Title, string? Code, string Platform)
{
    /// <summary>Reads the event <c>game.opened</c> or <c>game.closed</c>.</summary>
    internal static GameIdentity Of(UnsolicitedEvent announcement)
    {
        var game = new GameIdentity(announcement.Epoch, null, null, "none");
        var values = new ValueReader(announcement.Values.Span);
        while (values.Read())
        {
            game = values.Name switch
            {
                var name when name.SequenceEqual("title"u8) => game with { Title = values.GetText() },
                var name when name.SequenceEqual("code"u8) => game with { Code = values.GetText() },
                var name when name.SequenceEqual("platform"u8) => game with { Platform = values.GetText() },
                _ => game,
            };
        }

        return game;
    }
}

/// <summary>The state of an emulator in <c>/v2/status</c>.</summary>
public enum EmulatorState
{
    /// <summary>The gateway is connecting for the first time.</summary>
    Connecting,

    /// <summary>It answers.</summary>
    Ready,

    /// <summary>Nothing answers on the port.</summary>
    ScriptMissing,

    /// <summary>A script of another version answers.</summary>
    WrongVersion,

    /// <summary>Another program, such as the script of mGBA-http, or another emulator, answers on the port.</summary>
    OtherProgram,

    /// <summary>The script refuses the gateway: the secret is missing or wrong, or it has too many connections.</summary>
    Refused,

    /// <summary>Connections are accepted, and no frame runs.</summary>
    Silent,

    /// <summary>It answers, and a holder of the lockstep lease steps it.</summary>
    Leased,

    /// <summary>It answers, and no frame runs: the game is paused.</summary>
    Paused,

    /// <summary>It answers, and no frame runs: a debugger has halted the game.</summary>
    Halted,

    /// <summary>It answers, and no frame runs: the game stopped its machine.</summary>
    Stopped,

    /// <summary>It answers, and no frame runs: the game crashed.</summary>
    Crashed,

    /// <summary>It answers, and no game is loaded.</summary>
    NoGame,
}
