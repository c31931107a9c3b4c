using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Recordings;

namespace MgbaBridge.Gateway.Api.Recordings;

/// <summary>How to record.</summary>
public sealed record RecordingBody
{
    /// <summary>About every how many frames memory is hashed, 1 to 36000; 60 unless given.</summary>
    public long? HashEvery { get; init; }

    /// <summary>What is hashed: up to 16 texts such as `wram:0x0/262144`, together at most 1 MiB; all working memory unless given.</summary>
    public IReadOnlyList<string>? Ranges { get; init; }
}

/// <summary>Names a recording.</summary>
/// <param name="Recording">Its id.</param>
public sealed record RecordingName([property: JsonRequired] string Recording);

/// <summary>A recording.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Frame">The frame of the state that it begins with.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Last">The frame of the last hash.</param>
/// <param name="Inputs">How many changes of the keys it has.</param>
/// <param name="Hashes">How many hashes it has.</param>
/// <param name="Ended">Why it ended, such as `stopped`, `game.reset` or `full`; absent while it is running.</param>
public readonly record struct RecordingAnswer(
    string Id, long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, long Last, int Inputs, int Hashes, string? Ended)
{
    /// <summary>The answer made from a recorder.</summary>
    internal static RecordingAnswer Of(Recorder recorder)
    {
        var (inputs, hashes) = recorder.Count;
        return new RecordingAnswer(recorder.Id, recorder.Start, recorder.Epoch, recorder.Last, inputs, hashes, recorder.Ended);
    }
}

/// <summary>The recordings of an emulator.</summary>
/// <param name="Recordings">Oldest first.</param>
public readonly record struct RecordingsAnswer(IReadOnlyList<RecordingAnswer> Recordings);

/// <summary>How a replay ended.</summary>
/// <param name="Frame">The script's frame count at the end, from which the game continues.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Same">Whether every hash was the same.</param>
/// <param name="Frames">How many frames ran.</param>
/// <param name="Inputs">How many changes of the keys were made.</param>
/// <param name="Hashes">How many hashes were the same.</param>
/// <param name="Divergence">The first that was another; absent when there is none.</param>
public readonly record struct ReplayAnswer(
    long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, bool Same, long Frames, int Inputs, int Hashes, Divergence? Divergence);

/// <summary>How to keep states to go back to.</summary>
public sealed record RewindBody
{
    /// <summary>How many frames lie between two states, 10 to 36000; 60 unless given.</summary>
    public long? Every { get; init; }

    /// <summary>How many states are kept, 1 to 1000; 60 unless given. Together they have at most 64 MiB.</summary>
    public int? Points { get; init; }
}

/// <summary>Names a state of the rewind ring.</summary>
/// <param name="Frame">Its frame.</param>
public sealed record RewindPointName([property: JsonRequired] long Frame);

/// <summary>The states to go back to.</summary>
/// <param name="Every">How many frames lie between two.</param>
/// <param name="Most">How many are kept.</param>
/// <param name="Bytes">The bytes that they have.</param>
/// <param name="Points">The states, oldest first.</param>
public readonly record struct RewindAnswer(long Every, int Most, long Bytes, IReadOnlyList<RewindPointAnswer> Points)
{
    /// <summary>The answer made from a ring.</summary>
    internal static RewindAnswer Of(RewindRing ring) =>
        new(ring.Every, ring.MaxPoints, ring.Bytes, [.. ring.Points.Select(point => new RewindPointAnswer(point.Frame, point.Epoch, point.State.Length))]);
}

/// <summary>A state to go back to.</summary>
/// <param name="Frame">The frame that it is of, which is its name.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">How many bytes it has.</param>
public readonly record struct RewindPointAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, int Bytes);
