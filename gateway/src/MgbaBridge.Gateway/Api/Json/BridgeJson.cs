using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Files;
using MgbaBridge.Gateway.Api.Game;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Memory;
using MgbaBridge.Gateway.Api.Registers;
using MgbaBridge.Gateway.Api.States;

namespace MgbaBridge.Gateway.Api.Json;

/// <summary>Every shape that travels as JSON. Source-generated: no reflection, little allocation.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(NumberTypeConverter), typeof(ConsoleLevelConverter), typeof(ComparisonConverter)])]
[JsonSerializable(typeof(CellBody))]
[JsonSerializable(typeof(CellAnswer))]
[JsonSerializable(typeof(BytesAnswer))]
[JsonSerializable(typeof(WriteAnswer))]
[JsonSerializable(typeof(DoneAnswer))]
[JsonSerializable(typeof(GameAnswer))]
[JsonSerializable(typeof(ChecksumAnswer))]
[JsonSerializable(typeof(CapabilitiesAnswer))]
[JsonSerializable(typeof(RegisterAnswer))]
[JsonSerializable(typeof(DomainsAnswer))]
[JsonSerializable(typeof(ReadsAnswer))]
[JsonSerializable(typeof(ReadsBody))]
[JsonSerializable(typeof(ConsoleBody))]
[JsonSerializable(typeof(FileBody))]
[JsonSerializable(typeof(SaveFileBody))]
[JsonSerializable(typeof(KeptStateBody))]
[JsonSerializable(typeof(RegistersAnswer))]
[JsonSerializable(typeof(Problem))]
public sealed partial class BridgeJson : JsonSerializerContext;

/// <summary>It was done.</summary>
/// <param name="Frame">The script's frame count when it was done.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
public readonly record struct DoneAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch);
