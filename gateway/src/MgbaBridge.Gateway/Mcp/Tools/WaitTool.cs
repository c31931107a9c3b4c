using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.Waits;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Waits until something happens in the game, then shows it.</summary>
internal sealed class WaitTool : AgentTool
{
    private const long DefaultFrames = 600;

    private static readonly TimeSpan ProgressEvery = TimeSpan.FromSeconds(1);

    [SetsRequiredMembers]
    public WaitTool()
        : base("wait_until", Access.Play)
    {
        Title = "Wait for something";
        Description = $"Waits until a condition on values holds, or until frames have passed, and returns what the game then shows. Cancelling ends the wait. {Condition.FormatHint}";
        Parameters =
        [
            new ToolParameter("condition", ArgumentKind.Text, "What to wait for; without it only frames pass.") { MaxLength = Condition.MaxText },
            new ToolParameter("frames", ArgumentKind.Integer, $"After how many frames (60 are a second) to stop waiting; {DefaultFrames} unless given.") { Min = 1, Max = Limits.Frames },
            .. Observer.Parameters,
        ];
        IsIdempotent = true;
        Output = ToolJson.Default.WaitedAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var text = call.Arguments.Text("condition");
        var frames = call.Arguments.Integer("frames") ?? DefaultFrames;
        call.Note = text ?? FormattableString.Invariant($"{frames} frames");
        call.CheckRuns();
        using var now = await call.SendAsync(new Ping());
        var met = await WithProgressAsync(call, now.Frame, frames, call.Memory.Control is { } control ? StepAsync(call, control, text, frames) : WaitAsync(call, text, frames));
        var (seen, png) = await Observer.LookAsync(call);
        return Result(new WaitedAnswer(met, seen.Frame - now.Frame, seen), png);
    }

    private static async Task<bool> WaitAsync(ToolCall call, string? text, long frames) =>
        (await call.RunAsync(WaitOperations.ByName.Value, new WaitRequest(null, null, text, frames))).Met;

    private static async Task<bool> StepAsync(ToolCall call, Control control, string? text, long frames)
    {
        if (text is null)
        {
            await control.StepAsync(frames, null, call.Cancelled);
            return true;
        }

        return !Condition.TryParse(text, out var condition, out var wrong)
            ? throw new ToolException(wrong, "correct the condition.")
            : call.ResultOf(await NamedCondition.WaitAsync(call.Context, condition, frames, async () =>
            {
                await control.StepAsync(1, null, call.Cancelled);
                return null;
            })).Met;
    }

    private static async Task<bool> WithProgressAsync(ToolCall call, long began, long frames, Task<bool> wait)
    {
        var time = call.Single<TimeProvider>();
        while (await Task.WhenAny(wait, Task.Delay(ProgressEvery, time, CancellationToken.None)) != wait)
        {
            using var now = await call.Emulator.SendAsync(new Ping(), call.Options, CancellationToken.None);
            if (now.Failure is null)
            {
                await call.Progress(Math.Clamp(now.Frame - began, 0, frames), frames, $"{now.Frame - began} of {frames} frames have passed.");
            }
        }

        return await wait;
    }
}
