using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Files;
using MgbaBridge.Gateway.Api.Game;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Memory;
using MgbaBridge.Gateway.Api.Recordings;
using MgbaBridge.Gateway.Api.Registers;
using MgbaBridge.Gateway.Api.Search;
using MgbaBridge.Gateway.Api.States;
using MgbaBridge.Gateway.Api.Status;
using MgbaBridge.Gateway.Api.Symbols;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Json;

/// <summary>Every shape that travels as JSON. Source-generated: no reflection, little allocation.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(StateConverter), typeof(NumberTypeConverter), typeof(ConsoleLevelConverter), typeof(ComparisonConverter),
        typeof(EndianConverter), typeof(SearchComparisonConverter), typeof(SearchAgainstConverter)])]
[JsonSerializable(typeof(CellBody))]
[JsonSerializable(typeof(CellAnswer))]
[JsonSerializable(typeof(BytesAnswer))]
[JsonSerializable(typeof(WriteAnswer))]
[JsonSerializable(typeof(StatusAnswer))]
[JsonSerializable(typeof(IReadOnlyList<StatusAnswer>))]
[JsonSerializable(typeof(ReadyAnswer))]
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
[JsonSerializable(typeof(SearchBody))]
[JsonSerializable(typeof(RefineBody))]
[JsonSerializable(typeof(SearchAnswer))]
[JsonSerializable(typeof(SearchesAnswer))]
[JsonSerializable(typeof(MatchesAnswer))]
[JsonSerializable(typeof(SymbolsAnswer))]
[JsonSerializable(typeof(PropertiesAnswer))]
[JsonSerializable(typeof(MapBody))]
[JsonSerializable(typeof(NamesBody))]
[JsonSerializable(typeof(ValueBody))]
[JsonSerializable(typeof(ValueAnswer))]
[JsonSerializable(typeof(ValuesAnswer))]
[JsonSerializable(typeof(MemoryValueAnswer))]
[JsonSerializable(typeof(RegistersAnswer))]
[JsonSerializable(typeof(RecordingBody))]
[JsonSerializable(typeof(RecordingAnswer))]
[JsonSerializable(typeof(RecordingsAnswer))]
[JsonSerializable(typeof(ReplayAnswer))]
[JsonSerializable(typeof(RewindBody))]
[JsonSerializable(typeof(RewindAnswer))]
[JsonSerializable(typeof(Problem))]
public sealed partial class BridgeJson : JsonSerializerContext;

/// <summary>It was done.</summary>
/// <param name="Frame">The script's frame count when it was done.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
public readonly record struct DoneAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch);
