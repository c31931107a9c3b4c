using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations.Lease;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Control of the game, which is stopped between calls.</summary>
internal static class ControlTools
{
    public static AgentTool TakeControl { get; } = new AgentTool<int, ControlAnswer>("take_control", Access.Control)
    {
        Title = "Take control of the game",
        Description = "Stops the game between your calls and refuses presses and writes of others, who can still watch. Press, step and wait_until then run exactly the frames that they need. "
            + "It ends with give_back, after some time without a step (see seconds), or when a person pauses you. If someone else has control, the error says who.",
        IsIdempotent = true,
        Request = Parameters.Of(Parameter.Integer("seconds", 5, 600, "After how many seconds without a step it is given back.").Or(120)),
        Run = TakeAsync,
        Answer = ToolJson.Default,
    };

    public static AgentTool GiveBack { get; } = new AgentTool<NoParameters, ControlAnswer>("give_back", Access.Control)
    {
        Title = "Give control back",
        Description = "Ends your control: the game continues, and others can play. Says who has control now.",
        IsIdempotent = true,
        Request = Parameters.None,
        Run = static (call, _) => GiveBackAsync(call),
        Answer = ToolJson.Default,
    };

    public static AgentTool Step { get; } = new AgentTool<(int Frames, KeySet Keys), SteppedAnswer>("step", Access.Control)
    {
        Title = "Run some frames",
        IsRare = true,
        Description = "Runs exactly some frames of a game that you control (take_control), with keys held down if given, and returns what it then shows. Several calls at once run one after the other.",
        Observes = true,
        RunsFrames = true,
        Request = Parameters.Of(
            Parameter.Integer("frames", 1, PressTool.MaxFrames, "How many frames (60 are a second).").Or(1),
            KeyOperations.Held.Or(default) with { Sentence = "Keys to hold during these frames; they are up afterwards." },
            static (frames, keys) => (frames, keys)),
        Run = StepAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<ControlAnswer> TakeAsync(ToolCall call, int seconds)
    {
        call.Note = FormattableString.Invariant($"for {seconds} s");
        if (call.Memory.TakeControl() is { } before)
        {
            await before.DisposeAsync(); // taken again with another limit
        }

        call.CheckRuns();
        var control = call.ResultOf(await GameLease.TakeAsync(call.Invocation, call.Session.Agent.Client.Name, TimeSpan.FromSeconds(seconds)));
        call.Memory.Control = control;

        if (call.Cancelled.IsCancellationRequested)
        {
            // paused, or gone, while it was taken
            await (call.Memory.TakeControl()?.DisposeAsync() ?? default);
            call.Cancelled.ThrowIfCancellationRequested();
        }

        return new ControlAnswer(call.Emulator.Id, control.Frame, true, call.Session.Holder.Name, seconds);
    }

    private static async Task<ControlAnswer> GiveBackAsync(ToolCall call)
    {
        if (call.Memory.TakeControl() is { } control)
        {
            await control.DisposeAsync();
        }

        // presses end by themselves; a release that waits for another holder's lease would cut off a later press
        var holder = call.ResultOf(await LeaseOperations.HolderAsync(call.Invocation));
        return new ControlAnswer(call.Emulator.Id, call.Frame!.Value, false, holder, null);
    }

    private static async Task<SteppedAnswer> StepAsync(ToolCall call, (int Frames, KeySet Keys) request)
    {
        var (frames, keys) = request;
        call.Note = FormattableString.Invariant($"{frames} frames{(keys.Count > 0 ? $" with {keys}" : "")}");
        var control = call.Memory.Control ?? throw new ToolException("You do not have control, so the game runs by itself.", "call take_control first, or use wait_until to let frames pass.");
        call.Presses = keys.Count > 0 ? 1 : 0;
        try
        {
            await call.StepAsync(control, frames, keys);
        }
        finally
        {
            if (keys.Count > 0)
            {
                await control.ReleaseKeysAsync();
            }
        }

        return new SteppedAnswer(frames, await Observer.ObserveAsync(call));
    }
}

/// <summary>Who has control.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame; with control the game stands there.</param>
/// <param name="Control">Whether this agent has control.</param>
/// <param name="Holder">The name of who has control; absent when nobody has.</param>
/// <param name="Seconds">After how many seconds without a step it is given back.</param>
internal sealed record ControlAnswer(string Emulator, long Frame, bool Control, string? Holder, int? Seconds);

/// <summary>Frames that have run.</summary>
/// <param name="Frames">How many.</param>
/// <param name="Seen">What the game shows now.</param>
internal sealed record SteppedAnswer(int Frames, SeenAnswer Seen);
