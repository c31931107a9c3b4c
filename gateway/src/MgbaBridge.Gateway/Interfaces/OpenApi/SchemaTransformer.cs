using System.Diagnostics;
using System.Text.Json.Nodes;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations.Events;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Interfaces.OpenApi;

/// <summary>Shapes that have a converter of their own, which the generator cannot look into.</summary>
internal sealed class SchemaTransformer : IOpenApiSchemaTransformer
{
    public Task TransformAsync(OpenApiSchema schema, OpenApiSchemaTransformerContext context, CancellationToken cancellationToken)
    {
        var type = context.JsonTypeInfo.Type;
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(Location))
        {
            BecomeText(schema, "0x02000000", "An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).");
        }
        else if (type == typeof(Epoch))
        {
            BecomeText(schema, "9f3a01c2", "Changes when the script or the game changes: eight hex digits.");
            schema.Pattern = "^[0-9a-f]{8}$";
        }
        else if (type == typeof(KeySet) && schema.Enum is null)
        {
            // the items made here come by again, under the same type
            schema.Properties = null;
            schema.Type = JsonSchemaType.Array;
            schema.Items = new OpenApiSchema { Type = JsonSchemaType.String, Enum = [.. KeySet.Names] };
            schema.Description = "Names of keys. A text such as `A+Up` is taken too.";
        }
        else if (type == typeof(ReadOnlyMemory<byte>))
        {
            schema.Properties = null;
            schema.Type = JsonSchemaType.String;
            schema.Format = "byte";
        }
        else if (type == typeof(Condition))
        {
            BecomeText(schema, "player.hp < 10 and map == 3", Condition.ExpectedFormat);
        }
        else if (type == typeof(PackNumber))
        {
            (schema.Properties, schema.Type) = (null, JsonSchemaType.Integer | JsonSchemaType.String);
            schema.Description = "A number, or the name of a place in memory that has it.";
        }
        else if (type == typeof(PackNumbers))
        {
            (schema.Properties, schema.Type, schema.Items) = (null, JsonSchemaType.Array | JsonSchemaType.String, Integer());
            schema.Description = "Numbers, or the name of a list in memory that has them.";
        }
        else if (type == typeof(PackBox))
        {
            BecomeIntegers(schema, 4, "Left, top, right and bottom.");
        }
        else if (type == typeof(PackSize))
        {
            BecomeIntegers(schema, 2, "From left to right, and from top to bottom.");
        }
        else if (type == typeof(PackSide))
        {
            (schema.Properties, schema.Type, schema.Enum) = (null, JsonSchemaType.String, Sides());
        }
        else if (type == typeof(List<PackSide>))
        {
            schema.Items = new OpenApiSchema { Type = JsonSchemaType.String, Enum = Sides() };
        }
        else if (type == typeof(EventAnswer))
        {
            BecomeEvent(schema);
        }
        else if (type.IsEnum)
        {
            var policy = type == typeof(EmulatorState) ? StateConverter.Policy : JsonNamingPolicy.CamelCase;
            schema.Type = JsonSchemaType.String;
            schema.Enum = [.. Enum.GetNames(type).Select(name => (JsonNode)policy.ConvertName(name))];
        }
        else if (schema.Properties is { Count: > 0 } properties)
        {
            var members = context.JsonTypeInfo.Options.GetTypeInfo(type).Properties;

            // a member without a setter counts as nullable, whatever it returns
            foreach (var member in members.Where(member => !member.IsGetNullable))
            {
                if (properties.TryGetValue(member.Name, out var property) && property is OpenApiSchema { Type: not null } known)
                {
                    known.Type &= ~JsonSchemaType.Null;
                }
            }

            // members that are null, or at a default that is not written, are omitted
            schema.Required = members
                .Where(member => properties.ContainsKey(member.Name) && !member.IsGetNullable && member.ShouldSerialize is null && member.AssociatedParameter is not { HasDefaultValue: true })
                .Select(member => member.Name).ToHashSet();
        }

        return Task.CompletedTask;
    }

    private static List<JsonNode> Sides() => [.. Enum.GetNames<PackSide>().Select(static name => (JsonNode)name)];

    private static OpenApiSchema Integer() => new() { Type = JsonSchemaType.Integer, Format = "int64" };

    private static void BecomeIntegers(OpenApiSchema schema, int count, string sentence)
    {
        (schema.Properties, schema.Required, schema.Type, schema.Items) = (null, null, JsonSchemaType.Array, Integer());
        (schema.MinItems, schema.MaxItems, schema.Description) = (count, count, sentence);
    }

    private static void BecomeEvent(OpenApiSchema schema)
    {
        schema.Type = JsonSchemaType.Object;
        schema.Properties = new Dictionary<string, IOpenApiSchema>
        {
            ["frame"] = new OpenApiSchema { Type = JsonSchemaType.Integer, Format = "int64", Description = "The script's frame count when it happened; 0 when the script did not say it." },
            ["epoch"] = new OpenApiSchema { Type = JsonSchemaType.String, Description = "Changes when the script or the game changes: eight hex digits." },
            ["topic"] = new OpenApiSchema { Type = JsonSchemaType.String, Description = "The topic that it belongs to, written in full." },
        };
        schema.Required = new HashSet<string> { "frame", "epoch", "topic" };
        var values = EventTopics.All.SelectMany(topic => topic.Events).Append(EventRow.Ended).SelectMany(row => row.Values, (row, value) => (row.Name, Value: value));
        foreach (var same in values.GroupBy(one => one.Value.Name))
        {
            var sentences = same.GroupBy(one => one.Value.Sentence, (sentence, of) => $"of {string.Join(", ", of.Select(one => $"`{one.Name}`"))}: {sentence}");
            schema.Properties.Add(same.Key, SchemaOf(same.First().Value.Kind, string.Join("; ", sentences)));
        }

        schema.Properties.Add(EventValue.Dropped.Name, SchemaOf(EventValue.Dropped.Kind, EventValue.Dropped.Sentence));
    }

    internal static OpenApiSchema SchemaOf(EventValueKind kind, string sentence)
    {
        var schema = new OpenApiSchema { Type = JsonSchemaType.String, Description = $"{char.ToUpperInvariant(sentence[0])}{sentence[1..]}." };
        switch (kind)
        {
            case EventValueKind.Integer:
                (schema.Type, schema.Format) = (JsonSchemaType.Integer, "int64");
                break;
            case EventValueKind.Keys:
                (schema.Type, schema.Items) = (JsonSchemaType.Array, new OpenApiSchema { Type = JsonSchemaType.String, Enum = [.. KeySet.Names] });
                break;
            case EventValueKind.Lines:
                (schema.Type, schema.Items) = (JsonSchemaType.Array, new OpenApiSchema { Type = JsonSchemaType.String });
                break;
            case EventValueKind.Bytes or EventValueKind.Samples:
                schema.Format = "byte";
                schema.Description += kind == EventValueKind.Samples ? " On a WebSocket, samples are a binary message instead." : "";
                break;
            case EventValueKind.Text:
                break;
            default:
                throw new UnreachableException($"What is a value of the kind {kind}?");
        }

        return schema;
    }

    private static void BecomeText(OpenApiSchema schema, string example, string? description)
    {
        schema.Properties = null;
        schema.Type = JsonSchemaType.String;
        schema.Format = null;
        schema.Pattern = null;
        schema.Minimum = null;
        schema.Maximum = null;
        schema.Examples = [example];
        schema.Description = description;
    }
}
