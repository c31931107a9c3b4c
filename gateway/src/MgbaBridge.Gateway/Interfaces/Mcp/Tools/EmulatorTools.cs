using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.Status;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Lists and starts emulators.</summary>
internal static class EmulatorTools
{
    private const int MaxRoms = 200;

    public static AgentTool List { get; } = new AgentTool<NoParameters, EmulatorsAnswer>("emulators", Access.Read)
    {
        Title = "List the emulators",
        IsRare = true,
        Serves = new Dictionary<Operation, string> { [StatusOperations.Emulators] = "", [RomOperations.List] = "" },
        Description = "Lists the emulators with their games and states, and the ROMs that start_emulator may use with their folders. Changes nothing.",
        UsesEmulator = false,
        IsIdempotent = true,
        Request = Parameters.None,
        Run = static (call, _) => ListAsync(call),
        Answer = ToolJson.Default,
    };

    public static AgentTool Start { get; } = new AgentTool<EmulatorRequest, EmulatorAnswer>("start_emulator", Access.Manage)
    {
        Title = "Start an emulator",
        IsRare = true,
        Description = "Starts another emulator without a window and waits until it answers. Name it in the argument emulator of other calls.",
        UsesEmulator = false,
        Request = Parameters.Of(
            EmulatorOperations.Rom with { Sentence = "The ROM, as the tool emulators lists it, or the whole path of a file in one of its folders." },
            Parameter.Text("state", "The name of a kept state to continue from; the game starts from its beginning unless given.").Optional(),
            static (rom, state) => new EmulatorRequest(rom, new EmulatorOptions { State = state })),
        Run = StartAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<EmulatorsAnswer> ListAsync(ToolCall call)
    {
        var all = await call.RunAsync(StatusOperations.Emulators, default);
        if (call.Invocation.Caller.Owner is not null)
        {
            return new EmulatorsAnswer([.. all.Select(EmulatorAnswer.Of)], [], [], null);
        }

        var roms = (await call.RunAsync(RomOperations.List, default)).Roms;
        return new EmulatorsAnswer([.. all.Select(EmulatorAnswer.Of)], call.Invocation.Caller.Role >= Role.Owner ? call.Get<Supervisor>().RomFolders : [], [.. roms.Take(MaxRoms)], roms.Count > MaxRoms ? true : null);
    }

    private static async Task<EmulatorAnswer> StartAsync(ToolCall call, EmulatorRequest request)
    {
        call.Note = request.Rom;
        return EmulatorAnswer.Of(await call.RunAsync(EmulatorOperations.Start, request));
    }
}

/// <summary>The emulators.</summary>
/// <param name="Emulators">The first one is used where a call names none. Scripts that refuse the gateway come last.</param>
/// <param name="RomFolders">Where ROMs for start_emulator are; for owners.</param>
/// <param name="Roms">The ROMs in these folders as start_emulator takes them.</param>
/// <param name="MoreRoms">Whether there are more; start_emulator takes them as well.</param>
internal sealed record EmulatorsAnswer(IReadOnlyList<EmulatorAnswer> Emulators, IReadOnlyList<string> RomFolders, IReadOnlyList<string> Roms, bool? MoreRoms);

/// <summary>An emulator.</summary>
/// <param name="Id">Its id.</param>
/// <param name="State">How it is: ready, paused, script-missing and so on.</param>
/// <param name="Detail">What is wrong and what to do; absent when all is well.</param>
/// <param name="Title">The title of its game.</param>
/// <param name="Platform">gba or gb.</param>
/// <param name="Rom">Its ROM, if the gateway started it.</param>
internal sealed record EmulatorAnswer(string Id, string State, string? Detail, string? Title, string? Platform, string? Rom)
{
    /// <summary>The answer for an emulator.</summary>
    public static EmulatorAnswer Of(Operations.Status.StatusAnswer status) => new(status.Id, status.State.Text(), status.Detail, status.Title, status.Platform, status.Process?.Rom);
}
