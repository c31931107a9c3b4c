using System.Globalization;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Validation;
using YamlDotNet.Core;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Engines.Yaml;

/// <summary>The fields of a YAML mapping; an error names line and column.</summary>
internal sealed class YamlFields
{
    private readonly YamlMappingNode _node;
    private readonly Dictionary<string, YamlNode> _fields = [];
    private readonly IReadOnlyDictionary<string, string>? _case;

    /// <summary>Takes the fields of a mapping that has no others than the known ones.</summary>
    /// <param name="node">The mapping.</param>
    /// <param name="known">The names of the fields.</param>
    /// <param name="texts">What replaces <c>{name}</c> in texts; null where braces are texts like others.</param>
    /// <exception cref="YamlFormatException">It is no mapping, or has another field.</exception>
    public YamlFields(YamlNode node, IReadOnlyList<string> known, IReadOnlyDictionary<string, string>? texts = null)
    {
        _case = texts;
        _node = node as YamlMappingNode ?? throw Wrong(node, $"Fields are expected here: {string.Join(", ", known)}.");
        foreach (var (key, value) in _node.Children)
        {
            var name = (key as YamlScalarNode)?.Value ?? "";
            if (!known.Contains(name))
            {
                throw Wrong(key, $"There is no field \"{name}\" here. Did you mean {NearestName.Of(name, known)}? The fields are {string.Join(", ", known)}.");
            }

            _fields[name] = value;
        }
    }

    /// <summary>The line of the mapping.</summary>
    public int Line => (int)_node.Start.Line;

    /// <summary>The first of these fields that is there; null for none.</summary>
    public string? FirstOf(IEnumerable<string> names) => names.FirstOrDefault(_fields.ContainsKey);

    /// <summary>Whether there is such a field.</summary>
    public bool Has(string name) => _fields.ContainsKey(name);

    /// <summary>The node of a field; null without it.</summary>
    public YamlNode? Find(string name) => _fields.GetValueOrDefault(name);

    /// <summary>The elements of a list; none without the field.</summary>
    public IReadOnlyList<YamlNode> List(string name) => Find(name) switch
    {
        null => [],
        YamlSequenceNode list => [.. list.Children],
        var other => throw Wrong(other, $"{name} is a list."),
    };

    /// <summary>A text; null without the field.</summary>
    public string? Text(string name) => Find(name) switch
    {
        null => null,
        YamlScalarNode { Value: { Length: > 0 } text } scalar => Replaced(scalar, text),
        var other => throw Wrong(other, $"{name} is a text."),
    };

    /// <summary>A text that has to be there.</summary>
    public string Required(string name) => Text(name) ?? throw Wrong($"{name} is missing.");

    /// <summary>An integer in a range; null without the field.</summary>
    public long? Number(string name, long least, long greatest) => Text(name) is not { } text ? null
        : Integers.TryParseDecimal(text, out var number) && number >= least && number <= greatest ? number
        : throw Wrong(name, string.Create(CultureInfo.InvariantCulture, $"{name} is \"{text}\"; expected an integer from {least} to {greatest}."));

    /// <summary>True or false; false without the field.</summary>
    public bool Flag(string name) => Text(name) switch
    {
        null or "false" => false,
        "true" => true,
        var text => throw Wrong(name, $"{name} is \"{text}\"; expected true or false."),
    };

    /// <summary>A value as JSON: a number, a text, a list, or fields.</summary>
    public JsonNode? Json(string name) => Find(name) is { } node ? Json(node, 0) : throw Wrong($"{name} is missing.");

    /// <summary>An error at the mapping.</summary>
    public YamlFormatException Wrong(string reason) => Wrong(_node, reason);

    /// <summary>An error at a field.</summary>
    public YamlFormatException Wrong(string field, string reason) => Wrong(_fields[field], reason);

    /// <summary>An error at a character of the text of a field, which is exact where the text is on one line without escapes.</summary>
    public YamlFormatException Wrong(string field, int character, string reason)
    {
        var (start, end) = (_fields[field].Start, _fields[field].End);
        var quote = (_fields[field] as YamlScalarNode)?.Style is ScalarStyle.SingleQuoted or ScalarStyle.DoubleQuoted ? 1 : 0;
        return new YamlFormatException((int)start.Line, (int)start.Column + (start.Line == end.Line ? quote + character : 0), reason);
    }

    /// <summary>An error at a node.</summary>
    public static YamlFormatException Wrong(YamlNode node, string reason) => new((int)node.Start.Line, (int)node.Start.Column, reason);

    private JsonNode? Json(YamlNode node, int depth) => node switch
    {
        _ when depth > 32 => throw Wrong(node, "A value has up to 32 levels."),
        YamlSequenceNode list => new JsonArray([.. list.Children.Select(child => Json(child, depth + 1))]),
        YamlMappingNode map => new JsonObject(map.Children.Select(child => KeyValuePair.Create((child.Key as YamlScalarNode)?.Value ?? throw Wrong(child.Key, "The name of a field is a text."), Json(child.Value, depth + 1)))),
        YamlScalarNode { Style: ScalarStyle.Plain, Value: "" or "null" or "~" } => null,
        YamlScalarNode { Style: ScalarStyle.Plain, Value: "true" or "false" } flag => JsonValue.Create(flag.Value == "true"),
        YamlScalarNode scalar => Replaced(scalar, scalar.Value ?? "") is var text && (scalar.Style == ScalarStyle.Plain || text != scalar.Value) && Integers.TryParse(text, out var number) ? JsonValue.Create(number) : JsonValue.Create(text),
        _ => throw Wrong(node, "A value is expected here."),
    };

    private string Replaced(YamlScalarNode node, string text)
    {
        if (_case is null)
        {
            return text;
        }

        for (var open = text.IndexOf('{', StringComparison.Ordinal); open >= 0; open = text.IndexOf('{', open))
        {
            var close = text.IndexOf('}', open);
            var name = close < 0 ? text[(open + 1)..] : text[(open + 1)..close];
            if (close < 0 || !_case.TryGetValue(name, out var value))
            {
                throw Wrong(node, _case.Count == 0 ? $"\"{{{name}\" has no cases: a text in braces is replaced by a field of a case." : $"The cases have no field \"{name}\". Did you mean {NearestName.Of(name, _case.Keys)}?");
            }

            text = $"{text[..open]}{value}{text[(close + 1)..]}";
            open += value.Length;
        }

        return text;
    }
}
