using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Testing;

/// <summary>The JSON of values in tests.</summary>
[JsonSerializable(typeof(JsonNode))]
internal sealed partial class TestJson : JsonSerializerContext
{
    /// <summary>As people read it.</summary>
    public static JsonSerializerOptions Readable { get; } = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, TypeInfoResolver = Default };
}
