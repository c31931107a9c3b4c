using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Waits;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Presses keys, then shows the game.</summary>
internal static class PressTool
{
    /// <summary>The most frames of one call.</summary>
    public const int MaxFrames = 3_600;

    public static AgentTool Tool { get; } = new AgentTool<(KeySequence Steps, int Settle), PressedAnswer>("press", Access.Play)
    {
        Title = "Press keys",
        Description = "Presses keys, waits until they are up again, and returns what the game then shows. The game sees each press exactly once. "
            + "With control (take_control) the game runs only while the keys are pressed and for the settle frames.",
        Observes = true,
        Request = Parameters.Of(
            new Parameter<KeySequence>(
                "keys", $"What to press, one after the other: \"A\", \"Up+B\" (together), or with frames and pauses \"A 4, wait 10, Up+B 2\". {KeySet.NamesHint}.", new KeySequenceKind(needsFrames: false)),
            KeyOperations.Frames.Or(TapKeys.DefaultFrames) with { Sentence = "For how many frames (60 are a second) keys without a number of their own are down." },
            Parameter.Integer("times", 1, 100, "How often all of it is pressed.").Or(1),
            Parameter.Integer("settle", 0, 600, "How many frames to wait afterwards before looking.").Or(8),
            RequestOf),
        Run = RunAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<PressedAnswer> RunAsync(ToolCall call, (KeySequence Steps, int Settle) request)
    {
        var (steps, settle) = request;
        call.Note = steps.ToString();
        call.Memory.HasPressed = true;
        var press = call.Memory.Control is { } control ? await StepAsync(call, control, steps, settle) : await PlayAsync(call, steps, settle);
        call.Presses = steps.Steps.Count(step => step.Keys.Count > 0);
        return new PressedAnswer(call.Note, (int)call.Presses, press.Down, press.Up, await Observer.ObserveAsync(call));
    }

    private static async Task<PressAnswer> PlayAsync(ToolCall call, KeySequence steps, int settle)
    {
        call.CheckRuns();
        var press = await call.RunAsync(KeyOperations.Sequence, new PlaySequence(steps, null, Wait: true));
        if (press.Frame < press.Up - 1)
        {
            throw new ToolException(
                FormattableString.Invariant($"The presses were cut off in frame {press.Frame} of {press.Down} to {press.Up}: the keys of this agent were released. Some may have been pressed."), "call observe, then press what is missing.");
        }

        if (settle > 0)
        {
            await call.RunAsync(WaitOperations.Until, new WaitRequest(null, null, null, settle));
        }

        return press;
    }

    // the script knows in which frames the keys will be down; the steps run them
    private static async Task<PressAnswer> StepAsync(ToolCall call, GameControl control, KeySequence steps, int settle)
    {
        var press = await call.RunAsync(KeyOperations.Sequence, new PlaySequence(steps, null, Wait: false));
        await control.StepAsync(press.Up - press.Frame + settle, null, call.Cancelled);
        return press;
    }

    private static Made<(KeySequence Steps, int Settle)> RequestOf(KeySequence keys, long frames, int times, int settle)
    {
        if (keys.Steps.All(step => step.Keys.Count == 0))
        {
            return new WrongParameters("There is no key to press; to let frames pass use wait_until.");
        }

        KeyStep[] once = [.. keys.Steps.Select(step => step.Frames == 0 ? step with { Frames = frames } : step)];
        var (count, all) = (once.Length * times, once.Sum(step => (decimal)step.Frames) * times);
        return count > Limits.Steps || all > MaxFrames
            ? new WrongParameters($"These are {count} steps of {all} frames; one call has at most {Limits.Steps} steps and {MaxFrames} frames.")
            : (new KeySequence([.. Enumerable.Repeat(once, times).SelectMany(steps => steps)]), settle);
    }
}
