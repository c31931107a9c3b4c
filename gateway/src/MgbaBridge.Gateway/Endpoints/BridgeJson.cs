using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Names;

namespace MgbaBridge.Gateway.Endpoints;

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
[JsonSerializable(typeof(KeysBody))]
[JsonSerializable(typeof(TapBody))]
[JsonSerializable(typeof(SequenceBody))]
[JsonSerializable(typeof(KeysAnswer))]
[JsonSerializable(typeof(PressAnswer))]
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
[JsonSerializable(typeof(BatchBody))]
[JsonSerializable(typeof(BatchAnswer))]
[JsonSerializable(typeof(WaitBody))]
[JsonSerializable(typeof(WaitAnswer))]
[JsonSerializable(typeof(LeaseBody))]
[JsonSerializable(typeof(LeaseAnswer))]
[JsonSerializable(typeof(ReleaseAnswer))]
[JsonSerializable(typeof(StepBody))]
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
