using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A lease.</summary>
/// <param name="Frame">The frame in which the game stands still, unless a step is running.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Holder">Whose it is: say this in the header `Mgba-Holder` of everything else.</param>
/// <param name="Token">Lets the holder go on with it through another gateway, or after this one was started anew.</param>
/// <param name="LimitMs">How many milliseconds the holder may say nothing before the lease ends.</param>
/// <param name="Running">How many frames of a step are still to come: the game will stand in `frame` + `running`.</param>
public readonly record struct LeaseAnswer(
    long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, string Holder, string Token, long LimitMs, long Running)
{
    internal static LeaseAnswer Of(Reply reply, string holder)
    {
        var (token, limit, running) = TakeLease.Parse(reply);
        return new LeaseAnswer(reply.Frame, reply.Epoch, holder, token, limit, running);
    }
}
