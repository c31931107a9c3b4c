using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.Recordings;
using MgbaBridge.Gateway.Api.States;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Recordings;
using MgbaBridge.Gateway.Supervision;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Keeps the state of the game under a name.</summary>
internal sealed class SaveTool : AgentTool
{
    [SetsRequiredMembers]
    public SaveTool()
        : base("save", Access.Manage)
    {
        Title = "Keep a state";
        Description = "Keeps the state of the whole game under a name, to continue from it with load. Kept states survive restarts.";
        Parameters =
        [
            new ToolParameter("name", ArgumentKind.Text, StoredState.NameFormatHint) { IsRequired = true, MaxLength = 64 },
            new ToolParameter("replace", ArgumentKind.Boolean, "Whether a state of this name is replaced; otherwise that is an error."),
        ];
        Output = ToolJson.Default.StatesAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var name = call.Arguments.Text("name")!;
        call.Note = name;
        var saved = await call.RunAsync(StoreOperations.Save, new StoreStateRequest(name, call.Arguments.Flag("replace")));
        return Result(new StatesAnswer(call.Emulator.Id, call.Frame, saved.Name, null, null));
    }
}

/// <summary>Continues from a kept state, or lists them.</summary>
internal sealed class LoadTool : AgentTool
{
    private const int Shown = 50;

    [SetsRequiredMembers]
    public LoadTool()
        : base("load", Access.Write)
    {
        Title = "Continue from a kept state";
        Description = "Continues from a state that save has kept, and returns what the game then shows. Without a name it lists the states of this game, newest first, and changes nothing.";
        Parameters = [new ToolParameter("name", ArgumentKind.Text, "The name of the state; without it the states of this game are listed.") { MaxLength = 128 }, .. Observer.Parameters];
        IsDestructive = true;
        IsIdempotent = true;
        Output = ToolJson.Default.StatesAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        if (call.Arguments.Text("name") is not { } name)
        {
            var (all, game) = (await call.RunAsync(StoreOperations.List, default), (await GameNames.OfAsync(call)).Game);
            return Result(new StatesAnswer(call.Emulator.Id, null, null, [.. all.States.Where(state => state.Crc32 == FormattableString.Invariant($"0x{game.Crc32:X8}")).Take(Shown).Select(state => $"{state.Name}: {state.Title}, frame {state.Frame}, {state.SavedAt:yyyy-MM-dd HH:mm}")], null));
        }

        call.Note = name;
        await call.RunAsync(StoreOperations.Load, name);
        var (seen, png) = await Observer.LookAsync(call);
        return Result(new StatesAnswer(call.Emulator.Id, seen.Frame, name, null, seen), png);
    }
}

/// <summary>Goes back in time.</summary>
internal sealed class RewindTool : AgentTool
{
    private const long DefaultFrames = 300;
    private const long Every = 60;
    private const int Points = 120;

    [SetsRequiredMembers]
    public RewindTool()
        : base("rewind", Access.Write)
    {
        Title = "Go back in time";
        Description = "Continues from how the game was some frames ago, as far as states were kept, and returns what it then shows. The first call begins to keep a state each second, for two minutes.";
        Parameters = [new ToolParameter("frames", ArgumentKind.Integer, $"How far back (60 are a second); {DefaultFrames} unless given.") { Min = 0, Max = Limits.Frames }, .. Observer.Parameters];
        IsDestructive = true;
        Output = ToolJson.Default.StatesAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var frames = call.Arguments.Integer("frames") ?? DefaultFrames;
        call.Note = FormattableString.Invariant($"{frames} frames");
        using var now = await call.SendAsync(new Commands.Ping());
        if (call.Single<Rewinds>().Of(call.Emulator) is not { } ring)
        {
            await call.Single<Rewinds>().StartAsync(call.Emulator, Every, Points);
            throw new ToolException("No states of the past were kept. From now on one is kept each second.", "play on, and use rewind when needed; before something risky use save.");
        }

        // the frame count of the script never decreases, so a state of a later frame may show an earlier time
        var points = ring.Points;
        var point = points.LastOrDefault(point => point.Epoch == now.Epoch && point.Frame <= now.Frame - frames) ?? points.FirstOrDefault(point => point.Epoch == now.Epoch)
            ?? throw new ToolException("No state of this game has been kept yet.", "wait a second, then try again.");
        await call.RunAsync(RewindOperations.Load, point.Frame);
        var (seen, png) = await Observer.LookAsync(call);
        return Result(new StatesAnswer(call.Emulator.Id, seen.Frame, FormattableString.Invariant($"frame {point.Frame}"), null, seen), png);
    }
}

/// <summary>States.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame; absent for a list.</param>
/// <param name="State">The state that was kept or loaded.</param>
/// <param name="States">The kept states of this game: name, game, frame and time.</param>
/// <param name="Seen">What the game shows now.</param>
internal sealed record StatesAnswer(string Emulator, long? Frame, string? State, IReadOnlyList<string>? States, SeenAnswer? Seen);
