using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>The state of the console's devices.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Platform">`gba` or `gb`.</param>
/// <param name="Parts">The devices.</param>
/// <param name="Banks">Which banks of a Game Boy are mapped: `rom`, `vram`, `sram` and `wram`. Absent for a GBA, and in windows.</param>
public readonly record struct HardwareAnswer(long Frame, Epoch Epoch, string Platform, IReadOnlyList<HardwarePartAnswer> Parts, IReadOnlyDictionary<string, long>? Banks);

/// <summary>A device.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Registers">Its registers.</param>
public readonly record struct HardwarePartAnswer(string Name, IReadOnlyList<HardwareRegisterAnswer> Registers);

/// <summary>A register of a device.</summary>
/// <param name="Name">Its name in GBATEK or Pan Docs.</param>
/// <param name="Address">Its address.</param>
/// <param name="Value">Its value.</param>
/// <param name="Fields">What its bits mean, from the lowest on.</param>
public readonly record struct HardwareRegisterAnswer(string Name, string Address, long Value, IReadOnlyList<HardwareFieldAnswer> Fields);

/// <summary>Some bits of a register.</summary>
/// <param name="Name">Their name.</param>
/// <param name="Value">Their value; 1 is yes.</param>
/// <param name="Meaning">What this value means, or the address that it is; omitted where it is a number, yes or no.</param>
public readonly record struct HardwareFieldAnswer(string Name, long Value, string? Meaning);

/// <summary>The JSON of devices.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(HardwareAnswer))]
internal sealed partial class HardwareJson : JsonSerializerContext;
