using System.Buffers;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.States;

/// <summary>What to take of the machine.</summary>
public readonly record struct StateRequest
{
    /// <summary>What goes in, added up: 1 screenshot, 2 save data, 4 cheats, 8 clock, 16 metadata. All but the screenshot unless given.</summary>
    public int? Flags { get; init; }
}

/// <summary>A state of the whole machine.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">Its bytes, in base64.</param>
public readonly record struct StateAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, ReadOnlyMemory<byte> Bytes)
{
    internal static StateAnswer Of(SaveState command, Reply reply) => new(reply.Frame, reply.Epoch, reply.Tail);
}

/// <summary>A state to load.</summary>
public readonly record struct LoadStateRequest
{
    /// <summary>Its bytes in base64; not when they follow as a binary message.</summary>
    public ReadOnlyMemory<byte>? Bytes { get; init; }

    /// <summary>What is taken, added up: 1 screenshot, 2 save data, 4 cheats, 8 clock, 16 metadata. All but save data and cheats unless given.</summary>
    public int? Flags { get; init; }

    /// <summary>The bytes as they arrived in an HTTP body, instead of base64.</summary>
    internal ReadOnlySequence<byte>? Body { get; init; }
}

/// <summary>Where a state is kept on the machine that mGBA runs on: a slot or a file.</summary>
public sealed record KeptStateBody
{
    /// <summary>A slot beside the game, 0 to 9.</summary>
    public long? Slot { get; init; }

    /// <summary>A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.</summary>
    public string? File { get; init; }

    /// <summary>What goes in or is taken, added up: 1 screenshot, 2 save data, 4 cheats, 8 clock, 16 metadata. Unless given, all; loading leaves out save data.</summary>
    public int? Flags { get; init; }

    /// <summary>Whether it is one of the two.</summary>
    internal bool IsValid => Slot is null != File is null;
}
