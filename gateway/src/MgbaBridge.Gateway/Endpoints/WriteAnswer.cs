using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Something was written.</summary>
/// <param name="Frame">The script's frame count when it was answered.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="First">The frame of the first byte written.</param>
/// <param name="Last">The frame of the last byte written: later than the first for more than 16 KiB.</param>
public readonly record struct WriteAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, long First, long Last)
{
    internal static WriteAnswer Of(Reply reply)
    {
        var (first, last) = WriteMemory.Parse(reply);
        return new WriteAnswer(reply.Frame, reply.Epoch, first, last);
    }
}
