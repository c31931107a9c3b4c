using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Takes control of the game, which is stopped between calls.</summary>
internal sealed class TakeControlTool : AgentTool
{
    private const long DefaultSeconds = 120;

    [SetsRequiredMembers]
    public TakeControlTool()
        : base("take_control", Access.Play)
    {
        Title = "Take control of the game";
        Description = "Stops the game between your calls and refuses presses and writes of others, who can still watch. Press, step and wait_until then run exactly the frames that they need. "
            + "It ends with give_back, after some time without a step (see seconds), or when a person pauses you. If someone else has control, the error says who.";
        Parameters = [new ToolParameter("seconds", ArgumentKind.Integer, $"After how many seconds without a step it is given back; {DefaultSeconds} unless given.") { Min = 5, Max = 600 }];
        IsIdempotent = true;
        Output = ToolJson.Default.ControlAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var seconds = call.Arguments.Integer("seconds") ?? DefaultSeconds;
        call.Note = FormattableString.Invariant($"for {seconds} s");
        if (call.Memory.TakeControl() is { } before)
        {
            await before.DisposeAsync(); // taken again with another limit
        }

        call.CheckRuns();
        var control = await Control.TakeAsync(call, TimeSpan.FromSeconds(seconds));
        call.Memory.Control = control;
        if (call.Cancelled.IsCancellationRequested)
        {
            // paused, or gone, while it was taken
            await (call.Memory.TakeControl()?.DisposeAsync() ?? default);
            call.Cancelled.ThrowIfCancellationRequested();
        }

        call.Frame = control.Frame;
        return Result(new ControlAnswer(call.Emulator.Id, control.Frame, true, call.Session.Holder.Name, (int)seconds));
    }
}

/// <summary>Gives control back: the game continues.</summary>
internal sealed class GiveBackTool : AgentTool
{
    [SetsRequiredMembers]
    public GiveBackTool()
        : base("give_back", Access.Play)
    {
        Title = "Give control back";
        Description = "Ends your control: the game continues, and others can play. Says who has control now.";
        IsIdempotent = true;
        Output = ToolJson.Default.ControlAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        if (call.Memory.TakeControl() is { } control)
        {
            await control.DisposeAsync();
        }

        // presses end by themselves; a release that waits for another holder's lease would cut off a later press
        using var status = await call.SendAsync(new ReadScriptStatus());
        return Result(new ControlAnswer(call.Emulator.Id, status.Frame, false, ReadScriptStatus.ParseLease(status), null));
    }
}

/// <summary>Runs frames while the agent has control.</summary>
internal sealed class StepTool : AgentTool
{
    [SetsRequiredMembers]
    public StepTool()
        : base("step", Access.Play)
    {
        Title = "Run some frames";
        Description = "Runs exactly some frames of a game that you control (take_control), with keys held down if given, and returns what it then shows.";
        Parameters =
        [
            new ToolParameter("frames", ArgumentKind.Integer, "How many frames (60 are a second); 1 unless given.") { Min = 1, Max = 3_600 },
            new ToolParameter("keys", ArgumentKind.Text, $"Keys to hold during these frames, such as \"Right\" or \"Up+B\"; they are up afterwards. {KeySet.NamesHint}.") { MaxLength = 64 },
            .. Observer.Parameters,
        ];
        Output = ToolJson.Default.SteppedAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var frames = call.Arguments.Integer("frames") ?? 1;
        var text = call.Arguments.Text("keys") ?? "";
        if (!KeySet.TryParse(text, out var keys))
        {
            throw new ToolException($"\"{text}\" are no keys.", $"write keys such as \"Right\" or \"Up+B\". {KeySet.NamesHint}.");
        }

        call.Note = FormattableString.Invariant($"{frames} frames{(keys.Count > 0 ? $" with {keys}" : "")}");
        var control = call.Memory.Control ?? throw new ToolException("You do not have control, so the game runs by itself.", "call take_control first, or use wait_until to let frames pass.");
        await control.StepAsync(frames, keys, call.Cancelled);
        call.Presses = keys.Count > 0 ? 1 : 0;
        if (keys.Count > 0)
        {
            await control.StepAsync(0, default(KeySet), call.Cancelled);
        }

        var (seen, png) = await Observer.LookAsync(call);
        return Result(new SteppedAnswer((int)frames, seen), png);
    }
}

/// <summary>The outcome of a wait.</summary>
/// <param name="Met">Whether the condition holds; false when the frames ran out first.</param>
/// <param name="Frames">How many frames have passed.</param>
/// <param name="Seen">What the game shows now.</param>
internal sealed record WaitedAnswer(bool Met, long Frames, SeenAnswer Seen);

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
