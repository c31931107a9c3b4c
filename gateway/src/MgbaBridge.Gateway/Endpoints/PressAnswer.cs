using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>When the game sees a press.</summary>
/// <param name="Frame">The script's frame count when it was answered.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Down">The first frame with the first key down.</param>
/// <param name="Up">The first frame without the last.</param>
public readonly record struct PressAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, long Down, long Up)
{
    // presses may be queued behind others: a caller that waits for them is not told that it took too long
    internal static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(10);

    internal static PressAnswer Of(Reply reply, CommandRow row)
    {
        var press = KeyPress.Parse(reply.Values, row);
        return new PressAnswer(reply.Frame, reply.Epoch, press.Down, press.Up);
    }
}
