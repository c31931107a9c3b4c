using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Waits;

/// <summary>What to wait for: a condition, a number of frames, or the first of both.</summary>
public sealed record WaitBody
{
    /// <summary>The error when it is none or several of the three forms.</summary>
    internal const string FormatHint =
        "Write one of all, any and condition, or frames alone: {\"all\": [{\"location\": \"0x02000008\", \"type\": \"u32\", \"is\": \"ge\", \"value\": 100}], "
        + "\"frames\": 600}. Each test but changed has a value.";

    // a game may run slower than it should; one that does not run at all is noticed otherwise
    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan MaxLength = TimeSpan.FromHours(1);

    /// <summary>All of these have to hold.</summary>
    public IReadOnlyList<WaitTest>? All { get; init; }

    /// <summary>One of these has to hold, instead of `all`.</summary>
    public IReadOnlyList<WaitTest>? Any { get; init; }

    /// <summary>The same as text: `player.hp lt 10 and 0x02000008 u32 ge 100 or u16 0x02000100 changed`, where `and` binds tighter than `or`. Up to 32 tests.</summary>
    public string? Condition { get; init; }

    /// <summary>After how many frames to stop waiting, 1 to 36000; never unless given.</summary>
    public long? Frames { get; init; }

    /// <summary>How long the answer may take.</summary>
    internal TimeSpan MaxWait => Frames is { } frames ? AtLeast + (PerFrame * Math.Clamp(frames, 0, Limits.Frames)) : MaxLength;

    /// <summary>Whether it is one of the three forms.</summary>
    internal bool IsValid => (All ?? Any ?? []).All(test => test is { IsValid: true }) && (All ?? Any) is not { Count: 0 } && new object?[] { All, Any, Condition }.Count(form => form is not null) switch
    {
        0 => Frames is not null,
        1 => true,
        _ => false,
    };

    /// <summary>The command where no place is a name. Returns what is wrong, or null.</summary>
    internal string? Command(out Wait command)
    {
        command = default;
        Condition? condition = null;
        var wrong = !IsValid ? FormatHint : null;
        if (wrong is not null || (Condition is not null && !Commands.Condition.TryParse(Condition, out condition, out wrong)))
        {
            return wrong;
        }

        IReadOnlyList<IReadOnlyList<MemoryTest>>? tests = condition is not null ? condition.InMemory()
            : All is not null ? [[.. All.Select(test => test.Test)]] : [.. (Any ?? []).Select(test => new[] { test.Test })];
        command = new Wait(tests ?? [], Frames);
        return tests is null ? $"Here a place is a location with a type. {Commands.Condition.FormatHint}" : null;
    }
}

/// <summary>A condition on a number in memory.</summary>
public sealed record WaitTest
{
    /// <summary>Where the number is.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>What it is: u8, s8, u16, s16, u32 or s32, little-endian.</summary>
    public required NumberType Type { get; init; }

    /// <summary>How it is looked at: eq unless given, ne, lt, le, gt, ge, mask (all these bits are set), any (one of them is) or changed.</summary>
    public Comparison Is { get; init; }

    /// <summary>The number to compare with; not for `changed`.</summary>
    public long? Value { get; init; }

    /// <summary>Whether the value is there when it is needed, and only then.</summary>
    internal bool IsValid => Value is null == (Is == Comparison.Changed);

    /// <summary>The test that it is.</summary>
    internal MemoryTest Test => new(Type, Location, Is, Value ?? 0);
}

/// <summary>How a wait ended.</summary>
/// <param name="Frame">The frame in which it ended.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Met">Whether the condition holds; false when the frames ran out first.</param>
/// <param name="Values">Every number that was compared, in the order of the conditions.</param>
public readonly record struct WaitAnswer(
    long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, bool Met, IReadOnlyList<long> Values)
{
    /// <summary>The answer made from a reply.</summary>
    internal static WaitAnswer Of(Reply reply)
    {
        var (met, values) = Wait.Parse(reply);
        return new WaitAnswer(reply.Frame, reply.Epoch, met, values);
    }
}
