using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Recordings;
using MgbaBridge.Gateway.Operations.States;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Keeps states of the game, and continues from them.</summary>
internal static class StateTools
{
    private const int Shown = 50;
    private const long RewindEvery = 60;
    private const int RewindPoints = 120;

    public static AgentTool Save { get; } = new AgentTool<StoreStateRequest, StatesAnswer>("save", Access.Write)
    {
        Title = "Keep a state",
        Description = "Keeps the state of the whole game under a name, to continue from it with load. Kept states survive restarts.",
        Request = StoreOperations.Save.Request,
        Run = SaveAsync,
        Answer = ToolJson.Default,
    };

    public static AgentTool Load { get; } = new AgentTool<(string? Name, bool AnyRom), StatesAnswer>("load", Access.Write)
    {
        Title = "Continue from a kept state",
        Description = "Continues from a state that save has kept, and returns what the game then shows. Without a name it lists the states of this game, newest first, and changes nothing.",
        IsDestructive = true,
        IsIdempotent = true,
        Observes = true,
        Serves = new Dictionary<Operation, string> { [StoreOperations.List] = " without a name" },
        Request = Parameters.Of(
            StoreOperations.Name.Optional() with { Sentence = "The name of the state; without it the states of this game are listed." },
            StoreOperations.AnyRom with { Sentence = $"{StoreOperations.AnyRom.Sentence} Without a name: whether those of other ROMs are listed, too." },
            static (name, anyRom) => (name, anyRom)),
        Run = LoadAsync,
        Answer = ToolJson.Default,
    };

    public static AgentTool Rewind { get; } = new AgentTool<int, StatesAnswer>("rewind", Access.Write)
    {
        Title = "Go back in time",
        IsRare = true,
        Description = "Continues from how the game was some frames ago, as far as states were kept, and returns what it then shows. The first call begins to keep a state each second, for two minutes.",
        IsDestructive = true,
        Observes = true,
        Serves = new Dictionary<Operation, string> { [RewindOperations.Start] = "", [RewindOperations.Back] = "" },
        Request = Parameters.Of(Parameter.Integer("frames", 0, Limits.Frames, "How far back (60 are a second).").Or(300)),
        Run = RewindAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<StatesAnswer> SaveAsync(ToolCall call, StoreStateRequest request)
    {
        call.Note = request.Name;
        var saved = await call.RunAsync(StoreOperations.Save, request);
        return new StatesAnswer(call.Emulator.Id, call.Frame, saved.Name, null, null, null);
    }

    private static async Task<StatesAnswer> LoadAsync(ToolCall call, (string? Name, bool AnyRom) request)
    {
        if (request.Name is not { } name)
        {
            var (all, game) = (await call.RunAsync(StoreOperations.List, default), (await GameNames.OfAsync(call)).Game);
            var crc32 = FormattableString.Invariant($"0x{game.Crc32:X8}");
            var states = all.States.Where(state => state.Crc32 == crc32 || (request.AnyRom && state.Platform == game.Platform)).Take(Shown);
            return new StatesAnswer(call.Emulator.Id, null, null, [.. states.Select(state => Line(state, state.Crc32 != crc32))], null, null);
        }

        call.Note = name;
        var loaded = await call.RunAsync(StoreOperations.Load, new LoadStoredRequest(name, request.AnyRom));
        return await LoadedAsync(call, name, loaded.Warning);
    }

    private static async Task<StatesAnswer> RewindAsync(ToolCall call, int frames)
    {
        call.Note = FormattableString.Invariant($"{frames} frames");
        var back = await call.TryRunAsync(RewindOperations.Back, frames);
        if (back.Failure?.Kind == FailureKind.NoSuchRewind)
        {
            await call.RunAsync(RewindOperations.Start, (RewindEvery, RewindPoints));
            throw new ToolException("No states of the past were kept. From now on one is kept each second.", "play on, and use rewind when needed; before something risky use save.");
        }

        return await LoadedAsync(call, FormattableString.Invariant($"frame {call.ResultOf(back).Point}"));
    }

    private static async Task<StatesAnswer> LoadedAsync(ToolCall call, string state, string? warning = null)
    {
        var seen = await Observer.ObserveAsync(call);
        return new StatesAnswer(call.Emulator.Id, seen.Frame, state, null, warning, seen);
    }

    private static string Line(StoredStateAnswer state, bool isOfOtherRom) => FormattableString.Invariant(
        $"{state.Name}: {state.Title}, frame {state.Frame}, {state.SavedAt:yyyy-MM-dd HH:mm}{(isOfOtherRom ? ", another ROM" : "")}");
}

/// <summary>States.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame; absent for a list.</param>
/// <param name="State">The state that was kept or loaded.</param>
/// <param name="States">The kept states of this game: name, game, frame, time, and whether it is of another ROM.</param>
/// <param name="Warning">Why the game may not run as before; absent when the state is of its ROM.</param>
/// <param name="Seen">What the game shows now.</param>
internal sealed record StatesAnswer(string Emulator, long? Frame, string? State, IReadOnlyList<string>? States, string? Warning, SeenAnswer? Seen);
