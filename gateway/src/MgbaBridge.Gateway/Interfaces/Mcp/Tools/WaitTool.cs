using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Symbols;
using MgbaBridge.Gateway.Operations.Waits;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Waits until something happens in the game, then shows it.</summary>
internal static class WaitTool
{
    private static readonly TimeSpan ProgressEvery = TimeSpan.FromSeconds(1);

    public static AgentTool Tool { get; } = new AgentTool<(Condition? Condition, long Frames), WaitedAnswer>("wait_until", Access.Play)
    {
        Title = "Wait for something",
        Description = $"Waits until a condition on values holds, or until frames have passed, and returns what the game then shows. Your calls that act wait for it, if they come later. Cancelling ends the wait. {Condition.ExpectedFormat}",
        IsIdempotent = true,
        Observes = true,
        RunsFrames = true,
        Request = Parameters.Of(
            WaitOperations.Condition with { Sentence = "What to wait for; without it only frames pass.", Example = "0x02000008 u32 >= 100" },
            WaitOperations.Frames.Or(600) with { Sentence = "After how many frames (60 are a second) to stop waiting." },
            static (condition, frames) => (condition, frames)),
        Run = RunAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<WaitedAnswer> RunAsync(ToolCall call, (Condition? Condition, long Frames) request)
    {
        var (condition, frames) = request;
        call.Note = condition?.ToString() ?? FormattableString.Invariant($"{frames} frames");
        call.CheckRuns();
        var began = (await GameNames.OfAsync(call)).Frame;
        var met = await WithProgressAsync(call, began, frames, call.Memory.Control is { } control ? StepAsync(call, control, condition, frames) : WaitAsync(call, condition, frames));
        var seen = await Observer.ObserveAsync(call);
        return new WaitedAnswer(met, seen.Frame - began, seen);
    }

    private static async Task<bool> WaitAsync(ToolCall call, Condition? condition, long frames) =>
        (await call.RunAsync(WaitOperations.Until, new WaitRequest(null, null, condition, frames))).Met;

    private static async Task<bool> StepAsync(ToolCall call, GameLease control, Condition? condition, long frames)
    {
        if (condition is null)
        {
            await call.StepAsync(control, frames);
            return true;
        }

        return call.ResultOf(await NamedCondition.WaitAsync(call.Invocation, condition, frames, async () => (await control.StepAsync(1, null, call.Cancelled)).Failure)).Met;
    }

    private static async Task<bool> WithProgressAsync(ToolCall call, long began, long frames, Task<bool> wait)
    {
        var time = call.Get<TimeProvider>();
        while (await Task.WhenAny(wait, Task.Delay(ProgressEvery, time, CancellationToken.None)) != wait)
        {
            var (now, _) = await GameContext.ReadAsync(call.Invocation with { Cancelled = CancellationToken.None });
            if (now?.Frame is { } frame)
            {
                await call.Progress(Math.Clamp(frame - began, 0, frames), frames, $"{frame - began} of {frames} frames have passed.");
            }
        }

        return await wait;
    }
}

/// <summary>The outcome of a wait.</summary>
/// <param name="Met">Whether the condition holds; false when the frames ran out first.</param>
/// <param name="Frames">How many frames have passed.</param>
/// <param name="Seen">What the game shows now.</param>
internal sealed record WaitedAnswer(bool Met, long Frames, SeenAnswer Seen);
