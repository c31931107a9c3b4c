using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Recording;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A recording.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Frame">The frame of the state that it begins with.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Last">The frame of the last hash.</param>
/// <param name="Inputs">How many changes of the keys it has.</param>
/// <param name="Hashes">How many hashes it has.</param>
/// <param name="Ended">Why it ended, such as `stopped`, `game.reset` or `full`; absent while it goes on.</param>
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
