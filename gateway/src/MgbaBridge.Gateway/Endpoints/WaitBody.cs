using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What to wait for: a condition, frames, or whichever comes first.</summary>
public sealed record WaitBody
{
    /// <summary>What is said when it is none or several of the three forms.</summary>
    internal const string Forms =
        "Write one of all, any and condition, or frames alone: {\"all\": [{\"location\": \"0x02000008\", \"type\": \"u32\", \"is\": \"ge\", \"value\": 100}], "
        + "\"frames\": 600}. Each test but changed has a value.";

    // a game may run slower than it should; one that does not run at all is noticed otherwise
    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    /// <summary>All of these have to hold.</summary>
    public IReadOnlyList<WaitTest>? All { get; init; }

    /// <summary>One of these has to hold, instead of `all`.</summary>
    public IReadOnlyList<WaitTest>? Any { get; init; }

    /// <summary>The same as text, where `and` binds tighter than `or`: `u32 0x02000008 ge 100 and u8 wram:0xC mask 1 or u16 0x02000100 changed`.</summary>
    public string? Condition { get; init; }

    /// <summary>After how many frames to stop waiting, 1 to 36000; never unless given.</summary>
    public long? Frames { get; init; }

    /// <summary>How long the answer may take.</summary>
    internal TimeSpan LongestWait => Frames is { } frames ? AtLeast + (PerFrame * Math.Clamp(frames, 0, 36_000)) : Longest;

    /// <summary>The command, or null when it is none that can be sent.</summary>
    internal Wait? Command()
    {
        var tests = All ?? Any ?? [];
        var conditions = (All is null ? 0 : 1) + (Any is null ? 0 : 1) + (Condition is null ? 0 : 1);
        var valid = conditions <= 1 && (conditions == 1 || Frames is not null) && tests.All(test => test is { IsValid: true })
            && (All ?? Any) is not { Count: 0 } && (Condition is null || Wait.IsPlain(Condition));
        return valid ? new Wait(Condition, [.. tests.Select(test => test.Test)], Any is not null, Frames) : null;
    }
}
