using System.Text.Json;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary>What the OpenAPI document says about the parameters and properties of an operation, for help.</summary>
/// <param name="operation">The operation's entry in the document.</param>
/// <param name="document">The document.</param>
internal sealed class ReferenceTexts(JsonElement operation, JsonElement document)
{
    /// <summary>No texts.</summary>
    public static ReferenceTexts None { get; } = new(default, default);

    /// <summary>The texts of an operation.</summary>
    public static ReferenceTexts Of(Operation operation)
    {
        using var document = JsonDocument.Parse(EmbeddedScript.Read("openapi.json"));
        var root = document.RootElement.Clone();
        return root.GetProperty("paths").TryGetProperty(operation.Path, out var path) && path.TryGetProperty(operation.Method.ToLowerInvariant(), out var found)
            ? new ReferenceTexts(found, root)
            : None;
    }

    /// <summary>The description of a path parameter, or null.</summary>
    public string? Parameter(string name) => operation.ValueKind == JsonValueKind.Object && operation.TryGetProperty("parameters", out var parameters)
        ? parameters.EnumerateArray().Where(parameter => parameter.GetProperty("name").GetString() == name).Select(Description).FirstOrDefault()
        : null;

    /// <summary>The description of a property of the request body, or null.</summary>
    public string? Property(string name) => Find(operation, "requestBody", "content", "application/json", "schema") is { } schema
        && Find(Resolve(schema), "properties", name) is { } property
        ? Description(property) ?? Description(Resolve(property))
        : null;

    private static string? Description(JsonElement element) => Find(element, "description")?.GetString();

    private JsonElement Resolve(JsonElement schema) => Find(schema, "$ref")?.GetString() is { } reference
        && Find(document, "components", "schemas", reference[(reference.LastIndexOf('/') + 1)..]) is { } target
        ? target
        : schema;

    private static JsonElement? Find(JsonElement element, params ReadOnlySpan<string> path)
    {
        foreach (var name in path)
        {
            if (element.ValueKind != JsonValueKind.Object || !element.TryGetProperty(name, out element))
            {
                return null;
            }
        }

        return element;
    }
}
