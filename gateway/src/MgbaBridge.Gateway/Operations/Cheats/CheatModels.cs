using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Cheats;

/// <summary>A cheat to switch.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Enabled">Whether it is applied.</param>
public sealed record CheatSwitch(string Name, bool Enabled);

/// <summary>The cheats of an emulator.</summary>
/// <param name="Frame">The script's frame count when they were listed.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Cheats">All of them: those that are used, in the order in which they are applied, then those of the file that cannot be used, with `problem`.</param>
public readonly record struct CheatsAnswer(long Frame, Epoch Epoch, IReadOnlyList<Cheat> Cheats);

/// <summary>The JSON of cheats.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(CheatsAnswer))]
[JsonSerializable(typeof(DoneAnswer))]
internal sealed partial class CheatJson : JsonSerializerContext;
