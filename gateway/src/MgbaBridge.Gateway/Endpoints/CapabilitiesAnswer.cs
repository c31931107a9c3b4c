using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What this emulator's script can do.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Capabilities">`registers` and `screen`: the script has these commands (`/v2/screen` is 501 where the host draws no picture); `files`: a folder for files is allowed. docs/protocol.md, section 8, has them all.</param>
/// <param name="Commands">What the script understands: name, kind and arguments.</param>
public readonly record struct CapabilitiesAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    IReadOnlyList<string> Capabilities,
    IReadOnlyList<string> Commands);
