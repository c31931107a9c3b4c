using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Gateway.Api.Json;
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
            if (entry.Json is not { } json)
            {
                schema.Properties.Add(entry.Name, await ParameterSchemas.ObjectAsync(entry.Parameters, entry.Description, Model));
                continue;
            }

            var property = await Model(json);
            if (json.Untyped.Kind == JsonTypeInfoKind.Object)
            {
                SchemaRegistry.SetName(property, json.Type);
            }
            else
            {
                property.Type |= property.Format is null ? JsonSchemaType.Null : default;
                property.Description = entry.Description;
            }

            schema.Properties.Add(entry.Name, property);
        }

        Task<OpenApiSchema> Model(LazyJsonTypeInfo json) => context.GetOrCreateSchemaAsync(json.Type, null, cancellationToken);
    }
}
