using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Recordings;

namespace MgbaBridge.Gateway.Operations.Recordings;

/// <summary>A recording.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Frame">The frame of the state that it begins with.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Last">The frame of the last hash.</param>
/// <param name="Inputs">How many changes of the keys it has.</param>
/// <param name="Hashes">How many hashes it has.</param>
/// <param name="Ended">Why it ended, such as `stopped`, `game.reset` or `full`; absent while it is running.</param>
public readonly record struct RecordingAnswer(
    string Id, long Frame, Epoch Epoch, long Last, int Inputs, int Hashes, string? Ended)
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
    long Frame, Epoch Epoch, bool Same, long Frames, int Inputs, int Hashes, Divergence? Divergence);

/// <summary>Where a replay went another way.</summary>
/// <param name="Frame">The frame of the recording.</param>
/// <param name="After">How many frames after its state.</param>
/// <param name="Expected">The hash in the recording.</param>
/// <param name="Found">The hash that was found.</param>
/// <param name="Places">The first 16 places that differ; absent when the recording has no memory of this frame.</param>
public sealed record Divergence(long Frame, long After, string Expected, string Found, IReadOnlyList<DifferentBytes>? Places);

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

/// <summary>Where the game continues after it went back.</summary>
/// <param name="Frame">The script's frame count.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Point">The frame of the state from which it continues, which is the state's name.</param>
/// <param name="Oldest">Whether there is no older state.</param>
public readonly record struct RewoundAnswer(long Frame, Epoch Epoch, long Point, bool Oldest);

/// <summary>A state to go back to.</summary>
/// <param name="Frame">The frame that it is of, which is its name.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">How many bytes it has.</param>
public readonly record struct RewindPointAnswer(long Frame, Epoch Epoch, int Bytes);
