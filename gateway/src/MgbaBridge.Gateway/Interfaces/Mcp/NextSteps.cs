using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>What a model does after a failure: it has tools where other interfaces have operations.</summary>
internal static class NextSteps
{
    /// <summary>The error for a failure of a command.</summary>
    public static ToolException Of(FailureReport failure, EmulatorClient emulator) => new($"{failure.Detail}{(failure.MayHaveRun ? " It may have had its effect." : "")}", failure switch
    {
        { Failure: Failure.Leased } => "observe and read still work. Ask that person or program to give control back, or an owner to end it on the page, or wait until it ends, then try again.",
        { MayHaveRun: true } => "call observe to see what the game shows, before you try again.",
        { Failure: Failure.Rejected } => RejectedNext(failure.Code),
        { Failure: Failure.Overloaded } => "wait a second, then try again.",
        _ => $"call status: it says how emulator {emulator.Id} is and what to do.",
    });

    /// <summary>The error for a refused operation.</summary>
    public static ToolException Of(Refusal refusal, EmulatorClient? emulator) => refusal switch
    {
        { Failure: { } failure } when emulator is not null => Of(failure, emulator),
        { Next: { } next } => new ToolException(refusal.Detail, next),
        { Kind.Status: StatusCodes.Status400BadRequest } => new ToolException(refusal.Detail, "correct the arguments."),
        _ => new ToolException(refusal.Detail, "call status."),
    };

    private static string RejectedNext(RefusalCode? code) => code switch
    {
        RefusalCode.NoGame => "ask the person to load a game, or start one with start_emulator.",
        RefusalCode.Unsupported => "this emulator cannot do that; do it another way.",
        RefusalCode.NotRunning => "load a state from before with load, or ask the person to reset the game.",
        RefusalCode.NoLease => "call take_control again.",
        RefusalCode.Busy => "wait a second, then try again.",
        RefusalCode.EpochChanged or RefusalCode.Cancelled => "the game was changed or reset, or the keys were released meanwhile; call observe.",
        _ => "correct the arguments.",
    };
}
