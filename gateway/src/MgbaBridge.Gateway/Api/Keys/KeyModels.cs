using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Keys;

/// <summary>Some keys.</summary>
public sealed record KeysBody
{
    /// <summary>The keys.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public required KeySet Keys { get; init; }
}

/// <summary>Keys to be pressed together.</summary>
public sealed record TapBody
{
    /// <summary>The error when there are no keys.</summary>
    internal const string FormatHint = $"Say what to press. {KeySet.FormatHint}";

    /// <summary>The keys, at least one.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public required KeySet Keys { get; init; }

    /// <summary>For how many frames, 1 to 36000; 4 unless given.</summary>
    public long? Frames { get; init; }

    /// <summary>How many frames up before the same key may go down again, 1 to 36000; 2 unless given.</summary>
    public long? Gap { get; init; }

    /// <summary>Whether the response is sent when the keys are up again rather than immediately.</summary>
    public bool Wait { get; init; }
}

/// <summary>Presses one after the other: as text or as steps.</summary>
public sealed record SequenceBody
{
    /// <summary>The error when it is neither or both.</summary>
    internal const string FormatHint = "Write either \"sequence\": \"A 4, wait 10, Up+B 2\" or \"steps\": [{\"keys\": [\"A\"], \"frames\": 4}].";

    /// <summary>Keys or <c>wait</c>, and frames: <c>A 4, wait 10, Up+B 2</c>. Up to 512 steps.</summary>
    public string? Sequence { get; init; }

    /// <summary>The same as a list.</summary>
    public IReadOnlyList<SequenceStep>? Steps { get; init; }

    /// <summary>How many frames up before the same key may go down again, 1 to 36000; 2 unless given.</summary>
    public long? Gap { get; init; }

    /// <summary>Whether the response is sent when all steps are done rather than immediately.</summary>
    public bool Wait { get; init; }

    /// <summary>The presses. Returns what is wrong, or null.</summary>
    internal string? Read(out KeySequence sequence)
    {
        sequence = new KeySequence([.. (Steps ?? []).Where(step => step is not null).Select(step => new KeyStep(step.Keys, step.Frames))]);
        var wrong = Sequence is null ? null : KeySequence.Parse(Sequence, null, out sequence);
        return wrong is not null ? $"\"{wrong}\" is not a step; expected keys and frames, such as A 4, wait 10 or Up+B 2. {KeySet.NamesHint}."
            : sequence.Steps.Count == 0 || Steps?.Count != (Sequence is null ? sequence.Steps.Count : null) ? FormatHint
            : null;
    }
}

/// <summary>One step of a sequence.</summary>
public sealed record SequenceStep
{
    /// <summary>The keys to press together; none to wait.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public KeySet Keys { get; init; }

    /// <summary>For how many frames, 1 to 36000.</summary>
    public required long Frames { get; init; }
}

/// <summary>Which keys are down.</summary>
/// <param name="Frame">The script's frame count when the keys were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Mask">The keys as mGBA counts them, ours and the player's: bit 0 is A, then B, Select, Start, Right, Left, Up, Down, R and L.</param>
/// <param name="Keys">The same as names.</param>
/// <param name="Holders">The holders and the keys that each holds down.</param>
public readonly record struct KeysAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    int Mask,
    [property: JsonConverter(typeof(KeySetConverter))] KeySet Keys,
    IReadOnlyList<HolderAnswer> Holders)
{
    /// <summary>The answer made from a reply.</summary>
    internal static KeysAnswer Of(Reply reply)
    {
        var (down, holders) = ReadKeys.Parse(reply);
        HolderAnswer[] held = [.. holders.Select(holder => new HolderAnswer(holder.Holder, holder.Keys)).OrderBy(holder => holder.Holder, StringComparer.Ordinal)];
        return new KeysAnswer(reply.Frame, reply.Epoch, down.Mask, down, held);
    }
}

/// <summary>What one holder keeps down.</summary>
/// <param name="Holder">Its name: `http` for requests to /v2 that name none, `compat` for requests to mGBA-http's paths.</param>
/// <param name="Keys">The keys.</param>
public readonly record struct HolderAnswer(string Holder, [property: JsonConverter(typeof(KeySetConverter))] KeySet Keys);

/// <summary>When the game sees a press.</summary>
/// <param name="Frame">The script's frame count when it was answered.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Down">The first frame with the first key down.</param>
/// <param name="Up">The first frame without the last.</param>
public readonly record struct PressAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, long Down, long Up)
{
    // presses may be queued behind others, so waiting for them has no shorter timeout
    internal static readonly TimeSpan MaxWait = TimeSpan.FromMinutes(10);

    internal static PressAnswer Of(Reply reply, CommandDescriptor row)
    {
        var press = KeyPress.Parse(reply.Values, row);
        return new PressAnswer(reply.Frame, reply.Epoch, press.Down, press.Up);
    }
}
