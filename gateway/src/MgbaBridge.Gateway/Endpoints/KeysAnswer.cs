using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Which keys are down.</summary>
/// <param name="Frame">The script's frame count when it looked.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Mask">The keys as mGBA counts them, ours and the player's: bit 0 is A, then B, Select, Start, Right, Left, Up, Down, R and L.</param>
/// <param name="Keys">The same as names.</param>
/// <param name="Holders">Who keeps which down.</param>
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
