using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>A tool: something that a model can do with one call.</summary>
/// <param name="name">The name.</param>
/// <param name="access">What it needs permission for.</param>
internal abstract class AgentTool(string name, Access access)
{
    /// <summary>Names the emulator of a call.</summary>
    public static Parameters<string?> Emulator { get; } =
        Operations.Parameters.Of(Parameter.Text("emulator", "The id of the emulator, as the tool emulators lists it; the first one unless given.", maxLength: EmulatorId.MaxLength).Optional());

    /// <summary>The name.</summary>
    public string Name { get; } = name;

    /// <summary>What it needs permission for.</summary>
    public Access Access { get; } = access;

    /// <summary>A few words for people.</summary>
    public required string Title { get; init; }

    /// <summary>What it does, for the model.</summary>
    public required string Description { get; init; }

    /// <summary>Whether it observes the game afterwards, so that it has the parameters of an observation.</summary>
    public bool Observes { get; init; }

    /// <summary>Whether it is about one emulator, so that it has the parameter that names it.</summary>
    public bool UsesEmulator { get; init; } = true;

    /// <summary>Whether it concerns what all agents share, so that a token of an owner is not enough.</summary>
    public bool IsShared { get; init; }

    /// <summary>Whether a call waits for the agent's earlier calls about the same emulator: models send several at once and mean one after the other. False for all that only read.</summary>
    public bool RunsInTurn { get => field && UsesEmulator && !IsReadOnly; init; } = true;

    /// <summary>Whether it changes nothing.</summary>
    public bool IsReadOnly { get => field && Access == Access.Read; init; } = true;

    /// <summary>Whether what it changes may be lost for good.</summary>
    public bool IsDestructive { get; init; }

    /// <summary>Whether a second call with the same arguments changes nothing more.</summary>
    public bool IsIdempotent { get; init; }

    /// <summary>The toolset that a client asks for to get it; none for a tool that all get.</summary>
    public Toolsets Toolset { get; init; }

    /// <summary>Whether it works in games that have a pack only, so that clients see it only with such a game.</summary>
    public bool NeedsPack { get; init; }

    /// <summary>Whether most agents do without it, so that <see cref="Toolsets.Compact"/> leaves it out.</summary>
    public bool IsRare { get; init; }

    /// <summary>Whether it runs frames of the game, which a point may halt.</summary>
    public bool RunsFrames { get; init; }

    /// <summary>The operations that a call does when a next step names them, and the arguments of the call in words.</summary>
    public IReadOnlyDictionary<Operation, string> Serves { get; init; } = new Dictionary<Operation, string>();

    /// <summary>All its parameters.</summary>
    public IReadOnlyList<Parameter> Parameters => field ??= [.. OwnParameters, .. Observes ? Observer.Request.All : [], .. UsesEmulator ? Emulator.All : []];

    /// <summary>The parameters that are its own.</summary>
    protected abstract IReadOnlyList<Parameter> OwnParameters { get; }

    /// <summary>The JSON of its result.</summary>
    protected abstract LazyJsonTypeInfo Output { get; }

    /// <summary>Does it. Returns the result as JSON.</summary>
    /// <exception cref="ToolException">It cannot be done.</exception>
    public abstract Task<JsonElement> RunAsync(ToolCall call, ToolArguments arguments);

    /// <summary>The schema of the arguments. It is flat: models make fewer errors with such.</summary>
    public JsonElement InputSchema()
    {
        var schema = new JsonObject
        {
            ["type"] = "object",
            ["properties"] = new JsonObject(Parameters.Select(parameter => KeyValuePair.Create(parameter.Name, (JsonNode?)SchemaOf(parameter)))),
        };
        string[] required = [.. Parameters.Where(parameter => parameter.IsRequired).Select(parameter => parameter.Name)];
        if (required.Length > 0)
        {
            schema["required"] = ListOf(required);
        }

        schema["additionalProperties"] = false;
        return ElementOf(schema);
    }

    /// <summary>The schema of the result.</summary>
    public JsonElement OutputSchema() => ElementOf(Output.Untyped.GetJsonSchemaAsNode(new JsonSchemaExporterOptions { TreatNullObliviousAsNonNullable = true, TransformSchemaNode = Flatten }));

    private static JsonObject SchemaOf(Parameter parameter)
    {
        var shape = parameter.Shape;
        var schema = new JsonObject { ["type"] = shape.JsonType, ["description"] = shape.Default is { } value ? $"{parameter.Sentence} {value} unless given." : parameter.Sentence };
        var text = schema;
        if (shape.JsonType == "array")
        {
            schema["items"] = text = new JsonObject { ["type"] = shape.ItemType };
        }

        if (shape.Choices.Count > 0)
        {
            text["enum"] = ListOf(shape.Choices);
        }

        Set(text, "minLength", shape.MinLength);
        Set(text, "maxLength", shape.MaxLength);
        Set(schema, "minItems", shape.MinItems);
        Set(schema, "maxItems", shape.MaxItems);
        Set(text, "minimum", shape.Min);
        Set(text, "maximum", shape.Max);
        return schema;
    }

    private static void Set(JsonObject schema, string name, decimal? value)
    {
        if (value is { } number)
        {
            schema[name] = number;
        }
    }

    private static JsonArray ListOf(IEnumerable<string> texts) => new([.. texts.Select(text => (JsonNode)text)]);

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
            schema["required"] = ListOf(required.Select(name => name!.GetValue<string>()).Where(name => !nullable.Contains(name)));
        }

        return schema;
    }

    private static JsonElement ElementOf(JsonNode node)
    {
        using var document = JsonDocument.Parse(node.ToJsonString());
        return document.RootElement.Clone();
    }
}

/// <summary>A tool with parameters and an answer of these types.</summary>
/// <param name="name">The name.</param>
/// <param name="access">What it needs permission for.</param>
internal sealed class AgentTool<TRequest, TAnswer>(string name, Access access) : AgentTool(name, access)
{
    /// <summary>The parameters that are its own, and what they make.</summary>
    public required Parameters<TRequest> Request { get; init; }

    /// <summary>Does it.</summary>
    public required Func<ToolCall, TRequest, Task<TAnswer>> Run { get; init; }

    /// <summary>How the answer is written as JSON.</summary>
    public required LazyJsonTypeInfo<TAnswer> Answer { get; init; }

    protected override IReadOnlyList<Parameter> OwnParameters => Request.All;

    protected override LazyJsonTypeInfo Output => Answer;

    public override async Task<JsonElement> RunAsync(ToolCall call, ToolArguments arguments) => JsonSerializer.SerializeToElement(await Run(call, arguments.Read(Request)), Answer.Value);
}
