using System.Globalization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Presses one after the other: as text or as steps.</summary>
public sealed record SequenceBody
{
    /// <summary>What is said when it is neither or both.</summary>
    internal const string Forms = "Write either \"sequence\": \"A 4, wait 10, Up+B 2\" or \"steps\": [{\"keys\": [\"A\"], \"frames\": 4}].";

    /// <summary>Keys or <c>wait</c>, and frames: <c>A 4, wait 10, Up+B 2</c>. Up to 512 steps.</summary>
    public string? Sequence { get; init; }

    /// <summary>The same as a list.</summary>
    public IReadOnlyList<SequenceStep>? Steps { get; init; }

    /// <summary>How many frames up before the same key may go down again, 1 to 36000; 2 unless given.</summary>
    public long? Gap { get; init; }

    /// <summary>Whether to answer when all is done rather than at once.</summary>
    public bool Wait { get; init; }

    /// <summary>As text, or null when there is not exactly one of the two.</summary>
    internal string? Text() => (Sequence, Steps) switch
    {
        (not null, null) => Sequence,
        (null, { Count: > 0 }) when Steps.All(step => step is not null) => string.Join(", ", Steps.Select(step => string.Create(
            CultureInfo.InvariantCulture, $"{(step.Keys.Count == 0 ? "wait" : step.Keys)} {step.Frames}"))),
        _ => null,
    };
}
