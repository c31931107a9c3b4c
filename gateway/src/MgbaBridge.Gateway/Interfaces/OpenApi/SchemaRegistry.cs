using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Operations;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Interfaces.OpenApi;

/// <summary>The shapes of the document, each written once.</summary>
internal sealed class SchemaRegistry(OpenApiDocument document, OpenApiDocumentTransformerContext context)
{
    // where the generator keeps the name of a shape
    private const string SchemaId = "x-schema-id";

    private readonly Dictionary<Type, IOpenApiSchema> _known = [];

    /// <summary>The schema of a body with this content.</summary>
    public async Task<OpenApiMediaType> MediaAsync(Content content, CancellationToken cancellationToken) => new()
    {
        Schema = content.JsonType is { } shape ? await OfAsync(shape, cancellationToken) : content.IsText
            ? new OpenApiSchema { Type = JsonSchemaType.String }
            : new OpenApiSchema { Type = JsonSchemaType.String, Format = "binary" },
        Example = content.Example is null ? null : JsonNode.Parse(content.Example),
    };

    /// <summary>The schema of a type.</summary>
    public async Task<IOpenApiSchema> OfAsync(Type shape, CancellationToken cancellationToken)
    {
        if (!_known.TryGetValue(shape, out var reference))
        {
            reference = Register(await context.GetOrCreateSchemaAsync(shape, null, cancellationToken), shape.IsGenericType ? null : shape.Name);
            _known.Add(shape, reference);
        }

        return reference;
    }

    // shapes inside shapes too, or each would be written out wherever it is used
    private IOpenApiSchema Register(IOpenApiSchema schema, string? name = null)
    {
        if (schema is not OpenApiSchema open)
        {
            return schema;
        }

        foreach (var (key, property) in open.Properties?.ToArray() ?? [])
        {
            open.Properties![key] = Register(property);
        }

        open.Items = open.Items is { } items ? Register(items) : null;
        name ??= open is { Type: JsonSchemaType.Object, Metadata: { } metadata } && metadata.TryGetValue(SchemaId, out var id) ? id as string : null;
        if (string.IsNullOrEmpty(name))
        {
            return open;
        }

        document.AddComponent(name, open);
        return new OpenApiSchemaReference(name, document);
    }
}
