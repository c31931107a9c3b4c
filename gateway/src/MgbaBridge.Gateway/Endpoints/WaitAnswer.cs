using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>How a wait ended.</summary>
/// <param name="Frame">The frame in which it ended.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Met">Whether the condition holds; false when the frames ran out first.</param>
/// <param name="Values">Every number that was looked at, in the order of the conditions.</param>
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
