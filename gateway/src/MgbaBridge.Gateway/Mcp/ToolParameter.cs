using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Mcp;

/// <summary>What an argument of a tool may be.</summary>
internal enum ArgumentKind
{
    Text,
    Integer,
    Boolean,
    Texts,
}

/// <summary>A parameter of a tool. Its schema and its checks are made from it. Schemas are flat: models make fewer errors with them.</summary>
/// <param name="Name">The name.</param>
/// <param name="Kind">What it may be.</param>
/// <param name="Description">What it means, its unit and what holds without it.</param>
internal sealed record ToolParameter(string Name, ArgumentKind Kind, string Description)
{
    /// <summary>Whether it must be given.</summary>
    public bool IsRequired { get; init; }

    /// <summary>The least integer.</summary>
    public long Min { get; init; }

    /// <summary>The greatest integer.</summary>
    public long Max { get; init; } = int.MaxValue;

    /// <summary>The texts that it may be; empty for any.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>The most characters of a text, or of each text of a list.</summary>
    public int MaxLength { get; init; } = 256;

    /// <summary>The most texts of a list.</summary>
    public int MaxItems { get; init; } = 64;

    /// <summary>The JSON schema.</summary>
    public JsonObject Schema()
    {
        var schema = new JsonObject { ["type"] = Kind switch { ArgumentKind.Integer => "integer", ArgumentKind.Boolean => "boolean", ArgumentKind.Texts => "array", _ => "string" } };
        schema["description"] = Description;
        switch (Kind)
        {
            case ArgumentKind.Integer:
                (schema["minimum"], schema["maximum"]) = (Min, Max);
                break;
            case ArgumentKind.Texts:
                schema["items"] = new JsonObject { ["type"] = "string", ["maxLength"] = MaxLength };
                schema["maxItems"] = MaxItems;
                break;
            case ArgumentKind.Text when Choices.Count > 0:
                schema["enum"] = new JsonArray([.. Choices.Select(choice => (JsonNode)choice)]);
                break;
            case ArgumentKind.Text:
                schema["maxLength"] = MaxLength;
                break;
        }

        return schema;
    }
}
