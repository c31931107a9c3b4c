using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Gateway.Api.Operations;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Api.OpenApi;

/// <summary>Describes the items of batches: a property for each entry.</summary>
/// <param name="operations">The operations that have entries.</param>
internal sealed class BatchItemTransformer(OperationList operations) : IOpenApiSchemaTransformer
{
    /// <inheritdoc/>
    public async Task TransformAsync(OpenApiSchema schema, OpenApiSchemaTransformerContext context, CancellationToken cancellationToken)
    {
        if (context.JsonTypeInfo.Type != typeof(BatchItem))
        {
            return;
        }

        schema.Type = JsonSchemaType.Object;
        schema.Properties = new Dictionary<string, IOpenApiSchema>();
        foreach (var entry in operations.BatchEntries.All)
        {
            var property = await context.GetOrCreateSchemaAsync(entry.Json.Type, null, cancellationToken);
            if (entry.Json.Untyped.Kind == JsonTypeInfoKind.Object)
            {
                SchemaRegistry.SetName(property, entry.Json.Type);
            }
            else
            {
                property.Type |= property.Format is null ? JsonSchemaType.Null : default;
                property.Description = entry.Description;
            }

            schema.Properties.Add(entry.Name, property);
        }
    }
}
