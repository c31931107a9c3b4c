using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>What a model does after a failure. The details of failures name HTTP paths; a model has tools.</summary>
internal static class NextSteps
{
    /// <summary>The error for a failure of a command.</summary>
    public static ToolException Of(FailureReport failure, EmulatorClient emulator) => new($"{failure.Detail}{(failure.MayHaveRun ? " It may have had its effect." : "")}", failure switch
    {
        { Failure: Failure.Leased } => "observe and read still work. Ask that person or program to give control back, or wait until it ends, then try again.",
        { MayHaveRun: true } => "call observe to see what the game shows, before you try again.",
        { Failure: Failure.Rejected } => RejectedNext(failure.Code),
        { Failure: Failure.Overloaded } => "wait a second, then try again.",
        _ => $"call status: it says how emulator {emulator.Id} is and what to do.",
    });

    /// <summary>The error for a refused operation.</summary>
    public static ToolException Of(Refusal refusal, EmulatorClient? emulator) => refusal.Failure is { } failure && emulator is not null
        ? Of(failure, emulator)
        : new ToolException(refusal.Detail, refusal.Next?.Operation.Name switch
        {
            "states.list" => "call load without a name: it lists the states.",
            "searches.start" => "call search_ram with action start.",
            "recordings.list" => "call record with action list.",
            "emulators.list" or "emulators.stop" => "call emulators, and use one that runs.",
            _ => Of(refusal.Name),
        });

    private static string Of(string refusal) => refusal switch
    {
        "bad-request" => "correct the arguments.",
        "state-exists" => "choose another name, or set replace to true.",
        "memory-full" => "delete what is not needed any more, then try again.",
        "rom-forbidden" or "no-such-rom" => "ask the person who runs the gateway for a ROM in one of the folders of Bridge:Owned:RomFolders.",
        "unsettled" => "try again.",
        "null-pointer" => "wait until it points somewhere, then try again.",
        _ => "call status.",
    };

    private static string RejectedNext(RefusalCode? code) => code switch
    {
        RefusalCode.NoGame => "ask the person to load a game, or start one with start_emulator.",
        RefusalCode.Unsupported => "this emulator cannot do that; do it another way.",
        RefusalCode.NotRunning => "load a state from before with load, or ask the person to reset the game.",
        RefusalCode.NoLease => "call take_control again: control ended because nothing was sent in time.",
        RefusalCode.Busy => "wait a second, then try again.",
        RefusalCode.EpochChanged or RefusalCode.Cancelled => "the game was changed or reset; call observe.",
        _ => "correct the arguments.",
    };
}
