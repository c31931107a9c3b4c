using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Presses keys, then shows the game.</summary>
internal sealed class PressTool : AgentTool
{
    private const int MaxFrames = 3_600;
    private const long DefaultFrames = 4;
    private const long DefaultSettle = 8;

    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(10);

    [SetsRequiredMembers]
    public PressTool()
        : base("press", Access.Play)
    {
        Title = "Press keys";
        Description = "Presses keys, waits until they are up again, and returns what the game then shows. The game sees each press exactly once. "
            + "With control (take_control) the game runs only while the keys are pressed and for the settle frames.";
        Parameters =
        [
            new ToolParameter("keys", ArgumentKind.Text, $"What to press, one after the other: \"A\", \"Up+B\" (together), or with frames and pauses \"A 4, wait 10, Up+B 2\". {KeySet.NamesHint}.")
            { IsRequired = true, MaxLength = 4_000 },
            new ToolParameter("frames", ArgumentKind.Integer, $"For how many frames (60 are a second) keys without a number of their own are down; {DefaultFrames} unless given.") { Min = 1, Max = 600 },
            new ToolParameter("times", ArgumentKind.Integer, "How often all of it is pressed; once unless given.") { Min = 1, Max = 100 },
            new ToolParameter("settle", ArgumentKind.Integer, $"How many frames to wait afterwards before looking; {DefaultSettle} unless given.") { Min = 0, Max = 600 },
            .. Observer.Parameters,
        ];
        Output = ToolJson.Default.PressedAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var arguments = call.Arguments;
        var steps = Parse(arguments.Text("keys")!, arguments.Integer("frames") ?? DefaultFrames, arguments.Integer("times") ?? 1);
        var settle = arguments.Integer("settle") ?? DefaultSettle;
        call.Note = steps.ToString();
        call.Memory.HasPressed = true;
        var press = call.Memory.Control is { } control ? await StepAsync(call, control, steps, settle) : await PlayAsync(call, steps, settle);
        call.Presses = steps.Steps.Count(step => step.Keys.Count > 0);
        var (seen, png) = await Observer.LookAsync(call);
        return Result(new PressedAnswer(call.Note, (int)call.Presses, press.Down, press.Up, seen), png);
    }

    private static async Task<KeyPress> PlayAsync(ToolCall call, KeySequence steps, long settle)
    {
        call.CheckRuns();
        var command = new PlaySequence(steps, null, Wait: true);
        using var played = await call.SendAsync(command, AtLeast + (PerFrame * steps.Steps.Sum(step => step.Frames)));
        var press = KeyPress.Parse(played.Values, command.Descriptor);
        if (played.Frame < press.Up - 1)
        {
            throw new ToolException(
                FormattableString.Invariant($"The presses were cut off in frame {played.Frame} of {press.Down} to {press.Up}: the keys of this agent were released. Some may have been pressed."), "call observe, then press what is missing.");
        }

        if (settle > 0)
        {
            using var settled = await call.SendAsync(Wait.ForFrames(settle), AtLeast + (PerFrame * settle));
        }

        return press;
    }

    // the script knows in which frames the keys will be down; the steps run them
    private static async Task<KeyPress> StepAsync(ToolCall call, Control control, KeySequence steps, long settle)
    {
        var command = new PlaySequence(steps, null, Wait: false);
        using var accepted = await call.SendAsync(command);
        var press = KeyPress.Parse(accepted.Values, command.Descriptor);
        await control.StepAsync(press.Up - accepted.Frame + settle, null, call.Cancelled);
        return press;
    }

    private static KeySequence Parse(string text, long frames, long times)
    {
        if (KeySequence.Parse(text, frames, out var once) is { } wrong)
        {
            throw new ToolException($"\"{(wrong.Length <= 80 ? wrong : wrong[..80])}\" is not a press.", $"write keys and optionally frames (1 to {MaxFrames}), such as \"A\" or \"Up+B 2\", or \"wait 10\". {KeySet.NamesHint}.");
        }

        if (once.Steps.All(step => step.Keys.Count == 0))
        {
            throw new ToolException("There is no key to press.", $"name keys; to let time pass use wait_until. {KeySet.NamesHint}.");
        }

        var (count, all) = (once.Steps.Count * times, once.Steps.Sum(step => (decimal)step.Frames) * times);
        return count > Limits.Steps || all > MaxFrames
            ? throw new ToolException($"These are {count} steps of {all} frames; one call has at most {Limits.Steps} steps and {MaxFrames} frames.", "press less in one call.")
            : new KeySequence([.. Enumerable.Repeat(once.Steps, (int)times).SelectMany(steps => steps)]);
    }
}
