using System.Globalization;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Screen;
using MgbaBridge.Gateway.Operations.Waits;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Presses keys, then shows the game.</summary>
internal static class PressTool
{
    /// <summary>The most frames of one call.</summary>
    public const int MaxFrames = 3_600;

    public static AgentTool Tool { get; } = new AgentTool<PressRequest, PressedAnswer>("press", Access.Play)
    {
        Title = "Press keys",
        Description = "Presses keys, waits until they are up again, and returns what the game then shows. The game sees each press exactly once; unseen in the result names keys that someone held already, which it did not see. Several calls at once run one after the other, in their order; keys together are one call (\"A+B\"). "
            + "With control (take_control) the game runs only while the keys are pressed and for the settle frames.",
        Observes = true,
        RunsFrames = true,
        Request = Parameters.Of(
            new Parameter<KeySequence>(
                "keys", $"What to press, one after the other: \"A\", \"Up+B\" (together), or with frames and pauses \"A 4, wait 10, Up+B 2\"; sensors of the cartridge show something meanwhile: \"Up tilt 10/-5 30, light 0.8 4\". {KeySet.NamesHint}.",
                new KeySequenceKind(needsFrames: false))
            {
                Example = "A 4, wait 10, Up+B 2",
            },
            KeyOperations.Frames.Or(TapKeys.DefaultFrames) with { Sentence = "For how many frames (60 are a second) keys without a number of their own are down." },
            Parameter.Integer("times", 1, 100, "How often all of it is pressed.").Or(1),
            KeyOperations.Waiting.Or(PressWaiting.Queue) with { Sentence = "What becomes of earlier presses of these keys by this agent that are not over: queue (this one comes behind them), shorten, or replace." },
            new Parameter<Settling>(
                "settle", "How many frames to wait afterwards before looking, as in \"8\"; or \"still\": until the picture is the same in 10 frames on end, 120 frames at most; or \"still 4 300\", with other numbers.",
                SettlingKind.Instance).Or(new Settling(null, 8)),
            RequestOf),
        Run = RunAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<PressedAnswer> RunAsync(ToolCall call, PressRequest request)
    {
        call.Note = request.Steps.ToString();
        var press = call.Memory.Control is { } control ? await StepAsync(call, control, request) : await PlayAsync(call, request);
        var (count, missed) = (request.Steps.Steps.Count(step => step.Keys.Count > 0), press.Missed ?? 0);
        call.Presses = count - missed;
        IReadOnlyList<string>? unseen = press.Unseen is { } keys ? keys.ToString().Split('+') : null;
        var note = unseen is null ? null : FormattableString.Invariant(
            $"The game did not see {missed} of {count} presses: {string.Join(" and ", unseen)} was down already. seen.holders names who holds it. Press again when it is up.");
        var still = request.Settle.Equal is { } equal ? await IsStillAsync(call, equal, request.Settle.Frames) : (bool?)null;
        return new PressedAnswer(call.Note, (int)call.Presses, press.Down, press.Up, unseen, note, still, await Observer.ObserveAsync(call));
    }

    private static async Task<PressAnswer> PlayAsync(ToolCall call, PressRequest request)
    {
        call.CheckRuns();
        var press = await call.RunAsync(KeyOperations.Sequence, new PlaySequence(request.Steps, null, Wait: true, request.Waiting));
        if (request.Settle is { Equal: null, Frames: > 0 and var frames })
        {
            await call.RunAsync(WaitOperations.Until, new WaitRequest(null, null, null, frames));
        }

        return press;
    }

    // the script knows in which frames the keys will be down; the steps run them
    private static async Task<PressAnswer> StepAsync(ToolCall call, GameLease control, PressRequest request)
    {
        var press = await call.RunAsync(KeyOperations.Sequence, new PlaySequence(request.Steps, null, Wait: false, request.Waiting));
        await call.StepAsync(control, press.Up - press.Frame + (request.Settle.Equal is null ? request.Settle.Frames : 0));
        return press;
    }

    // looks at each frame until so many pictures on end are equal
    private static async Task<bool> IsStillAsync(ToolCall call, int wanted, int most)
    {
        byte[] last = [];
        var equal = 0;
        for (var frame = 0; equal < wanted; frame++)
        {
            using (var shown = await ScreenOperations.Get.InvokeAsync(call.Invocation, (1, PictureFormat.Png)))
            {
                var picture = call.ResultOf(shown).Bytes;
                equal = frame > 0 && picture.Span.SequenceEqual(last) ? equal + 1 : 1;
                last = picture.ToArray();
            }

            if (equal < wanted && frame == most)
            {
                return false;
            }

            if (equal < wanted && call.Memory.Control is { } control)
            {
                await call.StepAsync(control, 1);
            }
            else if (equal < wanted)
            {
                await call.RunAsync(WaitOperations.Until, new WaitRequest(null, null, null, 1));
            }
        }

        return true;
    }

    private static Made<PressRequest> RequestOf(KeySequence keys, long frames, int times, PressWaiting waiting, Settling settle)
    {
        if (keys.Steps.All(step => step.Keys.Count == 0 && step.Sensors is null))
        {
            return new WrongParameters("There is no key to press; to let frames pass use wait_until.");
        }

        KeyStep[] once = [.. keys.Steps.Select(step => step.Frames == 0 ? step with { Frames = frames } : step)];
        var (count, all) = (once.Length * times, once.Sum(step => (decimal)step.Frames) * times);
        return count > Limits.Steps || all > MaxFrames
            ? new WrongParameters($"These are {count} steps of {all} frames; one call has at most {Limits.Steps} steps and {MaxFrames} frames.")
            : new PressRequest(new KeySequence([.. Enumerable.Repeat(once, times).SelectMany(steps => steps)]), waiting, settle);
    }
}

/// <summary>What is pressed.</summary>
/// <param name="Steps">The presses.</param>
/// <param name="Waiting">What becomes of earlier ones that are not over.</param>
/// <param name="Settle">How long to wait afterwards.</param>
internal readonly record struct PressRequest(KeySequence Steps, PressWaiting Waiting, Settling Settle);

/// <summary>How long to wait before looking.</summary>
/// <param name="Equal">Until so many pictures on end are equal; null for the frames alone.</param>
/// <param name="Frames">The frames, or the most of them.</param>
internal readonly record struct Settling(int? Equal, int Frames)
{
    public override string ToString() => Equal is null ? Frames.ToString(CultureInfo.InvariantCulture) : string.Create(CultureInfo.InvariantCulture, $"still {Equal} {Frames}");
}

/// <summary>Waits before looking, as text.</summary>
internal sealed class SettlingKind : ParameterKind<Settling>
{
    private const int MaxFrames = 600;
    private const string Still = "still";

    /// <summary>The only one.</summary>
    public static SettlingKind Instance { get; } = new();

    public override ParameterShape Shape { get; } = new("string", $"a number of frames from 0 to {MaxFrames}, still, or still with the number of equal pictures (2 to {MaxFrames}) and of frames at most") { MaxLength = 32 };

    internal override bool TryParse(string text, out Settling value)
    {
        var words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        value = words switch
        {
            [var one] when TryNumber(one, 0, out var frames) => new Settling(null, frames),
            [Still] => new Settling(10, 120),
            [Still, var first, var second] when TryNumber(first, 2, out var equal) && TryNumber(second, 0, out var most) => new Settling(equal, most),
            _ => new Settling(null, -1),
        };
        return value.Frames >= 0;
    }

    internal override bool TryRead(ref Utf8JsonReader reader, out Settling value)
    {
        value = default;
        return reader.TokenType == JsonTokenType.String && TryParse(reader.GetString()!, out value);
    }

    private static bool TryNumber(string text, int least, out int number)
    {
        var isInteger = Integers.TryParseDecimal(text, out var read) && read >= least && read <= MaxFrames;
        number = isInteger ? (int)read : 0;
        return isInteger;
    }
}
