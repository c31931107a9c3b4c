using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.States;

/// <summary>The save data of a game.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">The bytes, in base64.</param>
public readonly record struct SaveDataAnswer(long Frame, Epoch Epoch, ReadOnlyMemory<byte> Bytes);

/// <summary>Save data that a game has got.</summary>
/// <param name="Frame">The script's frame count when the game was reset.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Length">How many bytes it has.</param>
/// <param name="Kept">The name of the state before, which has the save data before; absent when there was none.</param>
public readonly record struct SaveLoadedAnswer(long Frame, Epoch Epoch, long Length, string? Kept);

/// <summary>The JSON of save data.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(SaveDataAnswer))]
[JsonSerializable(typeof(SaveLoadedAnswer))]
internal sealed partial class SaveDataJson : JsonSerializerContext;
