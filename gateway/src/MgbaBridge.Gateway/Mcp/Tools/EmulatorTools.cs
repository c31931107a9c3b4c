using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.Owned;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Supervision;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Lists the emulators.</summary>
internal sealed class EmulatorsTool : AgentTool
{
    private const int MaxRoms = 200;

    [SetsRequiredMembers]
    public EmulatorsTool()
        : base("emulators", Access.Read)
    {
        Title = "List the emulators";
        Description = "Lists the emulators with their games and states, and the ROMs that start_emulator may use with their folders. Changes nothing.";
        UsesEmulator = false;
        IsIdempotent = true;
        Output = ToolJson.Default.EmulatorsAnswer;
    }

    /// <inheritdoc/>
    public override Task<ToolResult> RunAsync(ToolCall call)
    {
        var supervisor = call.Single<Supervisor>();
        var all = call.Single<Emulators>().All.Select(emulator => EmulatorAnswer.Of(emulator, supervisor.Find(emulator.Id)?.Request.Rom));
        var roms = supervisor.Roms(MaxRoms + 1);
        return Task.FromResult(Result(new EmulatorsAnswer([.. all], supervisor.RomFolders, [.. roms.Take(MaxRoms)], roms.Count > MaxRoms ? true : null)));
    }
}

/// <summary>Starts an emulator.</summary>
internal sealed class StartEmulatorTool : AgentTool
{
    [SetsRequiredMembers]
    public StartEmulatorTool()
        : base("start_emulator", Access.Manage)
    {
        Title = "Start an emulator";
        Description = "Starts another emulator without a window and waits until it answers. Name it in the argument emulator of other calls.";
        UsesEmulator = false;
        Parameters =
        [
            new ToolParameter("rom", ArgumentKind.Text, "The ROM, as the tool emulators lists it, or the whole path of a file in one of its folders.") { IsRequired = true, MaxLength = 1_000 },
            new ToolParameter("state", ArgumentKind.Text, "The name of a kept state to continue from; the game starts from its beginning unless given.") { MaxLength = 64 },
        ];
        Output = ToolJson.Default.EmulatorAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var rom = call.Arguments.Text("rom")!;
        call.Note = rom;
        var started = await call.RunAsync(EmulatorOperations.Start, new StartRequest(rom, call.Arguments.Text("state")));
        return call.Single<Emulators>().TryGet(started.Id, out var emulator)
            ? Result(EmulatorAnswer.Of(emulator, rom))
            : throw new ToolException($"Emulator {started.Id} ended right after its start.", "call emulators.");
    }
}

/// <summary>The emulators.</summary>
/// <param name="Emulators">The first one is used where a call names none.</param>
/// <param name="RomFolders">Where ROMs for start_emulator are.</param>
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
    public static EmulatorAnswer Of(EmulatorClient emulator, string? rom) => new(
        emulator.Id, StatusTool.StateOf(emulator), emulator.Health.Detail, emulator.Health.Title, emulator.Health.Platform, rom);
}
