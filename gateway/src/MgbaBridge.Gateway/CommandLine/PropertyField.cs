using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary>A property of a JSON body: an option, and an argument if the request needs it.</summary>
internal sealed class PropertyField : Field
{
    private readonly JsonPropertyInfo _property;
    private readonly Type _type;

    /// <summary>The field of a property.</summary>
    /// <param name="property">The property.</param>
    /// <param name="isArgument">Whether it is an argument as well.</param>
    /// <param name="option">The name of its option.</param>
    /// <param name="isLast">Whether no other argument follows, so that it may have several values.</param>
    /// <param name="description">What the reference says about it, or null.</param>
    public PropertyField(JsonPropertyInfo property, bool isArgument, string option, bool isLast, string? description)
        : base(property.Name, property.IsRequired)
    {
        _property = property;
        _type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        description = description is not null && _type.IsEnum ? $"{description} One of {string.Join(", ", Names(_type))}." : description;
        Declare(option, isArgument, isLast, _type == typeof(bool), Placeholder, description, _type == typeof(KeySet));
    }

    private bool IsInteger => _type == typeof(int) || _type == typeof(long) || _type == typeof(uint) || _type == typeof(byte) || _type == typeof(ulong);

    private string Placeholder => _type == typeof(string) ? "TEXT" : IsInteger || _type == typeof(double) ? "NUMBER" : _type.IsEnum ? "NAME" : "VALUE";

    // several values are a list
    private protected override JsonNode? ToJson(string[] values)
    {
        var info = _property.CustomConverter is null ? _property.Options.GetTypeInfo(_property.PropertyType) : null;
        var isList = info?.Kind == JsonTypeInfoKind.Enumerable;
        var isScalar = _type == typeof(string) || _type == typeof(bool) || IsInteger || _type == typeof(double) || _type.IsEnum;
        return values switch
        {
            [var one] when !isList || one.StartsWith('[') => ToJson(one, _type),
            _ when isScalar => throw VerbException.WrongUsage($"{Label} has {values.Length} values, {string.Join(" and ", values.Take(2))}; expected one. Quote a value with spaces."),
            _ => new JsonArray([.. values.Select(value => ToJson(value, info?.ElementType ?? typeof(string)))]),
        };
    }

    private JsonNode? ToJson(string value, Type type)
    {
        var number = Nullable.GetUnderlyingType(type) ?? type;
        if (number == typeof(string))
        {
            return JsonValue.Create(value);
        }

        if (number == typeof(bool))
        {
            return bool.TryParse(value, out var flag) ? JsonValue.Create(flag) : throw VerbException.WrongUsage($"{Label} is \"{value}\"; expected true or false.");
        }

        if (number.IsEnum)
        {
            var names = Names(number);
            return names.Contains(value, StringComparer.OrdinalIgnoreCase) ? JsonValue.Create(value)
                : throw VerbException.WrongUsage($"{Label} is \"{value}\"; expected {string.Join(", ", names)}.");
        }

        if (IsNumber(number))
        {
            return TryInteger(value, out var integer) ? JsonValue.Create(integer)
                : number == typeof(double) && double.TryParse(value, CultureInfo.InvariantCulture, out var real) && double.IsFinite(real) ? JsonValue.Create(real)
                : throw VerbException.WrongUsage($"{Label} is \"{value}\"; expected a number.");
        }

        if (value is not ['[' or '{', ..] && number != typeof(JsonElement))
        {
            return JsonValue.Create(value);
        }

        try
        {
            return JsonNode.Parse(value);
        }
        catch (JsonException) when (number == typeof(JsonElement))
        {
            return JsonValue.Create(value);
        }
        catch (JsonException exception)
        {
            throw VerbException.WrongUsage($"{Label} is not JSON: {exception.Message}");
        }
    }

    // the names of an enumeration, as they are written in JSON
    private string[] Names(Type type)
    {
        var info = _property.Options.GetTypeInfo(type);
        return [.. Enum.GetValuesAsUnderlyingType(type).Cast<object>().Select(value => JsonSerializer.SerializeToNode(Enum.ToObject(type, value), info)!.GetValue<string>())];
    }

    private static bool IsNumber(Type type) =>
        type == typeof(int) || type == typeof(long) || type == typeof(uint) || type == typeof(byte) || type == typeof(ulong) || type == typeof(double);
}
