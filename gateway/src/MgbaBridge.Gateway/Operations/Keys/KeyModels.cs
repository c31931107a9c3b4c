using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Keys;

/// <summary>Which keys are down.</summary>
/// <param name="Frame">The script's frame count when the keys were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Mask">The keys as mGBA counts them, ours and the player's: bit 0 is A, then B, Select, Start, Right, Left, Up, Down, R and L.</param>
/// <param name="Keys">The same as names.</param>
/// <param name="Holders">The holders and the keys that each holds down.</param>
public readonly record struct KeysAnswer(
    long Frame,
    Epoch Epoch,
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
/// <param name="Up">The first frame without the last; a later press with `waiting` may make it earlier.</param>
/// <param name="Lag">How many frames the press waits for others.</param>
/// <param name="Joined">True when it has joined a press that was waiting: both are one, in these frames.</param>
/// <param name="Unseen">The keys that someone holds already, so that the game sees no press of them; absent when there are none. Without `wait`: as far as was known when it was answered.</param>
/// <param name="Missed">How many of the presses have such keys; absent when none has.</param>
public readonly record struct PressAnswer(
    long Frame, Epoch Epoch, long Down, long Up, long Lag, bool? Joined = null, [property: JsonConverter(typeof(KeySetConverter))] KeySet? Unseen = null, int? Missed = null)
{
    // presses may be queued behind others, so waiting for them has no shorter timeout
    internal static readonly TimeSpan MaxWait = TimeSpan.FromMinutes(10);

    internal static PressAnswer Of(Reply reply, CommandDescriptor row)
    {
        var press = KeyPress.Parse(reply.Values, row);
        return new PressAnswer(
            reply.Frame, reply.Epoch, press.Down, press.Up, press.Lag, press.Joined ? true : null, press.Missed > 0 ? press.Unseen : null, press.Missed > 0 ? press.Missed : null);
    }
}
