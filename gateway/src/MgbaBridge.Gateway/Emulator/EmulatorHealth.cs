using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>How an emulator is, since when, and what to do about it.</summary>
/// <param name="State">How it is.</param>
/// <param name="Since">Since when.</param>
/// <param name="Detail">What is wrong and what to do; null when all is well.</param>
/// <param name="Hello">What the script last said about itself, or null.</param>
/// <param name="LastAnnounced">The last thing the script announced that bears on this, such as <c>game.closed</c>, or null.</param>
/// <param name="LastAnnouncedAt">When.</param>
public sealed record EmulatorHealth(
    EmulatorState State, DateTimeOffset Since, string? Detail, HelloReply? Hello, string? LastAnnounced, DateTimeOffset? LastAnnouncedAt)
{
    /// <summary>The state that follows from how the pool stands.</summary>
    public static EmulatorState StateOf(LinkState link) => link switch
    {
        { Phase: LinkPhase.Up } => EmulatorState.Ready,
        { Phase: LinkPhase.Silent } => EmulatorState.Silent,
        { Phase: LinkPhase.Connecting } => EmulatorState.Connecting,
        { Failure.Failure: Failure.NotOurs } => EmulatorState.OtherProgram,
        { Failure.Failure: Failure.WrongVersion } => EmulatorState.WrongVersion,
        { Failure.Failure: Failure.Rejected } => EmulatorState.Refused,
        _ => EmulatorState.ScriptMissing,
    };
}
