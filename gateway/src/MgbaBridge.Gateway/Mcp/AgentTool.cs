using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Mcp;

/// <summary>A tool: something that a model can do with one call.</summary>
/// <param name="name">The name.</param>
/// <param name="access">What it needs permission for.</param>
internal abstract class AgentTool(string name, Access access)
{
    /// <summary>Names the emulator of a call.</summary>
    public static readonly ToolParameter EmulatorParameter = new("emulator", ArgumentKind.Text, "The id of the emulator, as the tool emulators lists it; the first one unless given.") { MaxLength = 64 };

    /// <summary>The name.</summary>
    public string Name { get; } = name;

    /// <summary>What it needs permission for.</summary>
    public Access Access { get; } = access;

    /// <summary>A few words for people.</summary>
    public required string Title { get; init; }

    /// <summary>What it does, for the model.</summary>
    public required string Description { get; init; }

    /// <summary>Its parameters besides the emulator.</summary>
    public IReadOnlyList<ToolParameter> Parameters { get; init; } = [];

    /// <summary>Whether it is about one emulator.</summary>
    public bool UsesEmulator { get; init; } = true;

    /// <summary>Whether it changes nothing.</summary>
    public bool IsReadOnly => Access == Access.Read;

    /// <summary>Whether what it changes may be lost for good.</summary>
    public bool IsDestructive { get; init; }

    /// <summary>Whether a second call with the same arguments changes nothing more.</summary>
    public bool IsIdempotent { get; init; }

    /// <summary>The JSON of its result.</summary>
    public required JsonTypeInfo Output { get; init; }

    /// <summary>All its parameters.</summary>
    public IReadOnlyList<ToolParameter> AllParameters => UsesEmulator ? [.. Parameters, EmulatorParameter] : Parameters;

    /// <summary>Does it.</summary>
    /// <exception cref="ToolException">It cannot be done.</exception>
    public abstract Task<ToolResult> RunAsync(ToolCall call);

    /// <summary>The schema of the arguments.</summary>
    public JsonElement InputSchema()
    {
        var properties = new JsonObject();
        foreach (var parameter in AllParameters)
        {
            properties[parameter.Name] = parameter.Schema();
        }

        var schema = new JsonObject { ["type"] = "object", ["properties"] = properties };
        string[] required = [.. AllParameters.Where(parameter => parameter.IsRequired).Select(parameter => parameter.Name)];
        if (required.Length > 0)
        {
            schema["required"] = new JsonArray([.. required.Select(name => (JsonNode)name)]);
        }

        schema["additionalProperties"] = false;
        return ElementOf(schema);
    }

    /// <summary>The schema of the result.</summary>
    public JsonElement OutputSchema() => ElementOf(Output.GetJsonSchemaAsNode(new JsonSchemaExporterOptions { TreatNullObliviousAsNonNullable = true, TransformSchemaNode = Flatten }));

    /// <summary>A result with a value of the output's type.</summary>
    protected ToolResult Result<T>(T value, ReadOnlyMemory<byte>? png = null) => new(JsonSerializer.SerializeToElement(value, (JsonTypeInfo<T>)Output), png);

    // clients expect an object where any value is allowed; what is null is left out of the result, so "or null" would only make a schema longer
    private static JsonNode Flatten(JsonSchemaExporterContext context, JsonNode schema)
    {
        if (schema is not JsonObject)
        {
            return new JsonObject();
        }

        if (schema is JsonObject { } properties && properties["type"] is JsonArray types)
        {
            var type = types.Select(type => type!.GetValue<string>()).First(type => type != "null");
            properties["type"] = type;
        }

        if (schema["required"] is JsonArray required)
        {
            var nullable = context.TypeInfo.Properties.Where(property => property.IsGetNullable).Select(property => property.Name).ToHashSet(StringComparer.Ordinal);
            schema["required"] = new JsonArray([.. required.Select(name => name!.GetValue<string>()).Where(name => !nullable.Contains(name)).Select(name => (JsonNode)name)]);
        }

        return schema;
    }

    private static JsonElement ElementOf(JsonNode node)
    {
        using var document = JsonDocument.Parse(node.ToJsonString());
        return document.RootElement.Clone();
    }
}

/// <summary>What came of a call.</summary>
/// <param name="Content">The result as JSON.</param>
/// <param name="Png">A picture, or null.</param>
internal sealed record ToolResult(JsonElement Content, ReadOnlyMemory<byte>? Png);
