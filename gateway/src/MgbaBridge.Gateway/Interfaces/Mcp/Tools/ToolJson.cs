using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>The JSON of tools.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(SeenAnswer))]
[JsonSerializable(typeof(PressedAnswer))]
[JsonSerializable(typeof(ReadAnswer))]
[JsonSerializable(typeof(StatusAnswer))]
[JsonSerializable(typeof(WaitedAnswer))]
[JsonSerializable(typeof(ControlAnswer))]
[JsonSerializable(typeof(SteppedAnswer))]
[JsonSerializable(typeof(EmulatorsAnswer))]
[JsonSerializable(typeof(EmulatorAnswer))]
[JsonSerializable(typeof(NotesAnswer))]
[JsonSerializable(typeof(RecordedAnswer))]
[JsonSerializable(typeof(WrittenAnswer))]
[JsonSerializable(typeof(SearchedAnswer))]
[JsonSerializable(typeof(StatesAnswer))]
[JsonSerializable(typeof(WentAnswer))]
[JsonSerializable(typeof(TalkedAnswer))]
[JsonSerializable(typeof(MoreAnswer))]
[JsonSerializable(typeof(JsonElement))]
internal sealed partial class ToolJson : JsonSerializerContext;
