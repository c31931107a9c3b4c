using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Waits until something happens in the game, then shows it.</summary>
internal sealed class WaitTool : AgentTool
{
    private const long DefaultFrames = 600;
    private const long MaxFrames = 36_000;

    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan ProgressEvery = TimeSpan.FromSeconds(1);

    [SetsRequiredMembers]
    public WaitTool()
        : base("wait_until", Access.Play)
    {
        Title = "Wait for something";
        Description = $"Waits until a condition on values holds, or until frames have passed, and returns what the game then shows. Cancelling ends the wait. {Condition.FormatHint}";
        Parameters =
        [
            new ToolParameter("condition", ArgumentKind.Text, "What to wait for; without it only frames pass.") { MaxLength = 2_000 },
            new ToolParameter("frames", ArgumentKind.Integer, $"After how many frames (60 are a second) to stop waiting; {DefaultFrames} unless given.") { Min = 1, Max = MaxFrames },
            .. Observer.Parameters,
        ];
        IsIdempotent = true;
        Output = PlayToolJson.Default.WaitedAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var text = call.Arguments.Text("condition");
        var frames = call.Arguments.Integer("frames") ?? DefaultFrames;
        call.Note = text ?? FormattableString.Invariant($"{frames} frames");
        call.CheckRuns();
        var condition = text is null ? null : Condition.Parse(text);
        using var now = await call.SendAsync(new Ping());
        var met = await WithProgressAsync(call, now.Frame, frames, call.Memory.Control is { } control
            ? StepAsync(call, control, condition, frames)
            : WaitAsync(call, condition, frames));
        var (seen, png) = await Observer.LookAsync(call);
        return Result(new WaitedAnswer(met, seen.Frame - now.Frame, seen), png);
    }

    private static async Task<bool> WaitAsync(ToolCall call, Condition? condition, long frames)
    {
        var timeout = AtLeast + (PerFrame * frames);
        if (condition is null)
        {
            using var passed = await call.SendAsync(new Wait(null, [], false, frames), timeout);
            return true;
        }

        var game = await GameNames.OfAsync(call);
        if (condition.ForScript(game) is { } text)
        {
            using var reply = await call.SendAsync(new Wait(text, [], false, frames), timeout);
            return Wait.Parse(reply).Met;
        }

        // what the script cannot follow (pointers, big-endian numbers) is read once a frame
        return await PollAsync(call, game, condition, frames, async _ =>
        {
            using var frame = await call.SendAsync(new Wait(null, [], false, 1), AtLeast);
        });
    }

    private static async Task<bool> StepAsync(ToolCall call, Control control, Condition? condition, long frames)
    {
        if (condition is null)
        {
            await control.StepAsync(frames, null, call.Cancelled);
            return true;
        }

        return await PollAsync(call, await GameNames.OfAsync(call), condition, frames, cancelled => control.StepAsync(1, null, cancelled));
    }

    private static async Task<bool> PollAsync(ToolCall call, GameNames game, Condition condition, long frames, Func<CancellationToken, Task> frame)
    {
        var before = await game.ReadAsync(call, condition.Places);
        var first = Condition.Numbers(before);
        for (var now = before; now.Frame - before.Frame < frames; now = await game.ReadAsync(call, condition.Places))
        {
            if (condition.Holds(Condition.Numbers(now), first))
            {
                return true;
            }

            await frame(call.Cancelled);
        }

        return false;
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
