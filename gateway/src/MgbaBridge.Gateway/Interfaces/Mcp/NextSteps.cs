using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>What a model does after a failure: it has tools where other interfaces have operations.</summary>
internal static class NextSteps
{
    /// <summary>The error for a failure of a command.</summary>
    public static ToolException Of(CommandFailure failure, EmulatorClient emulator) => new(failure.MayHaveRun ? $"{failure.Detail.TrimEnd('.')}. It may have had its effect." : failure.Detail, failure switch
    {
        { Kind: CommandFailureKind.Leased } => "observe and read still work. Ask that person or program to give control back, or an owner to end it on the page, or wait until it ends, then try again.",
        { MayHaveRun: true } => "call observe to see what the game shows, before you try again.",
        { Kind: CommandFailureKind.Rejected } => RejectedNext(failure.Code),
        { Kind: CommandFailureKind.Overloaded } => "wait a second, then try again.",
        _ => $"call status: it says how emulator {emulator.Id} is and what to do.",
    });

    /// <summary>The error for an operation that failed.</summary>
    public static ToolException Of(Failure failure, EmulatorClient? emulator) => failure switch
    {
        { OfCommand: { } ofCommand } when emulator is not null => Of(ofCommand, emulator),
        { Next: { } next } => new ToolException(failure.Detail, next),
        { Kind.Status: StatusCodes.Status400BadRequest } => new ToolException(failure.Detail, "correct the arguments."),
        _ => new ToolException(failure.Detail, "call status."),
    };

    /// <summary>The error for an exception; null for a cancellation or a defect.</summary>
    public static ToolException? Of(Exception exception, EmulatorClient? emulator) => exception switch
    {
        ToolException error => error,
        RequestFailedException failed when emulator is not null => Of(failed.Failure, emulator),
        _ => Problems.IsDefect(exception) ? null : Of(Failure.NoMemory(), emulator),
    };

    private static string RejectedNext(ErrorCode? code) => code switch
    {
        ErrorCode.NoGame => "ask the person to load a game, or start one with start_emulator.",
        ErrorCode.Unsupported => "this emulator cannot do that; do it another way.",
        ErrorCode.NotRunning => "load a state from before with load, or ask the person to reset the game.",
        ErrorCode.NoLease => "call take_control again.",
        ErrorCode.Busy => "wait a second, then try again.",
        ErrorCode.EpochChanged or ErrorCode.Cancelled => "the game was changed or reset, or the keys were released meanwhile; call observe.",
        _ => "correct the arguments.",
    };
}
