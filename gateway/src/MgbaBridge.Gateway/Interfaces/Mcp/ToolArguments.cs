using System.Buffers;
using System.Globalization;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>The arguments of a call as JSON, from which parameters are read.</summary>
internal sealed class ToolArguments
{
    private readonly AgentTool _tool;
    private readonly KeyValuePair<string, JsonElement>[] _given;

    /// <summary>Checks the names of arguments. One that is null is not given.</summary>
    /// <exception cref="ToolException">The tool has no parameter of a name.</exception>
    public ToolArguments(AgentTool tool, IEnumerable<KeyValuePair<string, JsonElement>>? given)
    {
        (_tool, _given) = (tool, [.. given ?? []]);
        string[] known = [.. tool.Parameters.Select(parameter => parameter.Name)];
        foreach (var (name, _) in _given)
        {
            if (!known.Contains(name))
            {
                throw Wrong(Parameter.Unknown(name, known));
            }
        }
    }

    /// <summary>Reads some parameters of the tool.</summary>
    /// <exception cref="ToolException">With what is wrong, and what is expected.</exception>
    public T Read<T>(Parameters<T> parameters)
    {
        try
        {
            var reader = new Utf8JsonReader(ObjectOf(parameters.All));
            reader.Read();
            return parameters.ReadJson(ref reader, null, out var request) is { } wrong ? throw Wrong(wrong) : request;
        }
        catch (InvalidOperationException exception)
        {
            throw Wrong(exception.Message); // half of a surrogate pair
        }
    }

    private ReadOnlySpan<byte> ObjectOf(IReadOnlyList<Parameter> parameters)
    {
        var json = new ArrayBufferWriter<byte>();
        using var writer = new Utf8JsonWriter(json);
        writer.WriteStartObject();
        foreach (var (name, value) in _given)
        {
            if (value.ValueKind != JsonValueKind.Null && parameters.FirstOrDefault(parameter => parameter.Name == name) is { } parameter)
            {
                writer.WritePropertyName(name);
                Write(writer, value, parameter.Shape.JsonType);
            }
        }

        writer.WriteEndObject();
        writer.Flush();
        return json.WrittenSpan;
    }

    // models write numbers where a text is expected, and texts where a number is; both mean the same
    private static void Write(Utf8JsonWriter writer, JsonElement value, string type)
    {
        switch (value.ValueKind, type)
        {
            case (JsonValueKind.Number, "string"):
                writer.WriteStringValue(value.GetRawText());
                break;
            case (JsonValueKind.String, "integer") when Integers.TryParseDecimal(value.GetString(), out var integer):
                writer.WriteNumberValue(integer);
                break;
            case (JsonValueKind.String, "number") when double.TryParse(value.GetString(), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number):
                writer.WriteNumberValue(number);
                break;
            case (JsonValueKind.Array, "array"):
                writer.WriteStartArray();
                foreach (var item in value.EnumerateArray())
                {
                    Write(writer, item, "string");
                }

                writer.WriteEndArray();
                break;
            default:
                writer.WriteRawValue(value.GetRawText(), skipInputValidation: true);
                break;
        }
    }

    private ToolException Wrong(string problem) => new(problem, $"call {_tool.Name} again with other arguments.");
}
