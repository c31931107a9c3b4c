using System.Text.Json.Nodes;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Endpoints.OpenApi;

/// <summary>The shapes of the document, each written once.</summary>
internal sealed class SchemaShelf(OpenApiDocument document, OpenApiDocumentTransformerContext context)
{
    private readonly Dictionary<Type, IOpenApiSchema> _known = [];

    /// <summary>What a body of this content looks like.</summary>
    public async Task<OpenApiMediaType> MediaAsync(Content content, CancellationToken cancellationToken) => new()
    {
        Schema = content.Shape is { } shape ? await OfAsync(shape, cancellationToken) : content.MediaType.StartsWith("text/", StringComparison.Ordinal)
            ? new OpenApiSchema { Type = JsonSchemaType.String }
            : new OpenApiSchema { Type = JsonSchemaType.String, Format = "binary" },
        Example = content.Example is null ? null : JsonNode.Parse(content.Example),
    };

    private async Task<IOpenApiSchema> OfAsync(Type shape, CancellationToken cancellationToken)
    {
        if (!_known.TryGetValue(shape, out var reference))
        {
            var schema = await context.GetOrCreateSchemaAsync(shape, null, cancellationToken);
            document.AddComponent(shape.Name, schema);
            reference = new OpenApiSchemaReference(shape.Name, document);
            _known.Add(shape, reference);
        }

        return reference;
    }
}
