using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What this emulator can do.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Capabilities">`screen`: it has a picture; `files`: a folder for files is allowed; `registers`; and others of docs/protocol.md, section 8.</param>
/// <param name="Commands">What the script understands: name, kind and arguments.</param>
public readonly record struct CapabilitiesAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    IReadOnlyList<string> Capabilities,
    IReadOnlyList<string> Commands);
