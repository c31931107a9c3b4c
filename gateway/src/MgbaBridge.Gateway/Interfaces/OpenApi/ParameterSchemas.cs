using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Interfaces.OpenApi;

/// <summary>JSON schemas of parameters.</summary>
internal static class ParameterSchemas
{
    /// <summary>The schema of an object whose properties are parameters.</summary>
    /// <param name="parameters">The parameters.</param>
    /// <param name="description">What the object is, or null.</param>
    /// <param name="model">The schema of a type, for parameters that are described by one.</param>
    public static async Task<OpenApiSchema> ObjectAsync<T>(IEnumerable<Parameter> parameters, string? description, Func<LazyJsonTypeInfo, Task<T>> model)
        where T : IOpenApiSchema
    {
        var schema = new OpenApiSchema
        {
            Type = JsonSchemaType.Object,
            Description = description,
            Properties = new Dictionary<string, IOpenApiSchema>(),
            Required = parameters.Where(parameter => parameter.IsRequired).Select(parameter => parameter.Name).ToHashSet(),
            AdditionalPropertiesAllowed = false,
        };
        foreach (var parameter in parameters)
        {
            schema.Properties.Add(parameter.Name, await OfAsync(parameter, model));
        }

        return schema;
    }

    /// <summary>The schema of a parameter.</summary>
    public static async Task<IOpenApiSchema> OfAsync<T>(Parameter parameter, Func<LazyJsonTypeInfo, Task<T>> model)
        where T : IOpenApiSchema
    {
        var shape = parameter.Shape;
        if (shape.Model is { } json)
        {
            IOpenApiSchema described = await model(json);
            if (described is OpenApiSchema inline)
            {
                inline.Description = parameter.Sentence;
            }

            return described;
        }

        if (shape.Properties is { } properties)
        {
            return await ObjectAsync(properties, parameter.Sentence, model);
        }

        var choices = shape.Choices.Count == 0 ? null : shape.Choices.Select(choice => (JsonNode)choice).ToList();
        var isList = shape.JsonType == "array";
        var least = shape.Min?.ToString(System.Globalization.CultureInfo.InvariantCulture);
        var greatest = shape.Max?.ToString(System.Globalization.CultureInfo.InvariantCulture);
        return new OpenApiSchema
        {
            Type = TypeOf(shape.JsonType),
            Description = parameter.Sentence,
            Format = shape.Format,
            Minimum = isList ? null : least,
            Maximum = isList ? null : greatest,
            MinLength = shape.MinLength,
            MaxLength = isList ? null : shape.MaxLength,
            MinItems = shape.MinItems,
            MaxItems = shape.MaxItems,
            Enum = isList ? null : choices,
            Items = shape.Items is { } items ? await ObjectAsync(items, null, model) : isList ? new OpenApiSchema { Type = TypeOf(shape.ItemType), Minimum = least, Maximum = greatest, MaxLength = shape.MaxLength, Enum = choices } : null,
            Default = shape.Default is not { } value ? null : shape.JsonType is "integer" or "number" or "boolean" ? JsonNode.Parse(value) : JsonValue.Create(value),
        };
    }

    private static JsonSchemaType TypeOf(string jsonType) => jsonType switch
    {
        "integer" => JsonSchemaType.Integer,
        "number" => JsonSchemaType.Number,
        "boolean" => JsonSchemaType.Boolean,
        "array" => JsonSchemaType.Array,
        "object" => JsonSchemaType.Object,
        _ => JsonSchemaType.String,
    };
}
