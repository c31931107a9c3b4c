using System.Globalization;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Validation;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Engines.Scenarios;

/// <summary>A document of a scenario is wrong: which, where and why.</summary>
/// <param name="message">The file, line, column, path and reason.</param>
/// <param name="inner">The cause.</param>
public sealed class ScenarioFormatException(string message, Exception? inner = null) : Exception(message, inner);

/// <summary>A value in a JSON document, with the path to it.</summary>
internal readonly struct DocumentValue
{
    private const int MaxQuoted = 64;
    private const int MaxShown = 20;

    private readonly string _file;
    private readonly ReadOnlyMemory<byte> _text;
    private readonly JsonElement _value;
    private readonly string[] _path;

    private DocumentValue(string file, ReadOnlyMemory<byte> text, JsonElement value, string[] path) => (_file, _text, _value, _path) = (file, text, value, path);

    /// <summary>Reads a document.</summary>
    public static DocumentValue Read(string file, ReadOnlyMemory<byte> text)
    {
        if (text.Length > ScenarioLimits.Document)
        {
            throw new ScenarioFormatException($"{file}: It has {text.Length} bytes; the limit is {ScenarioLimits.Document}.");
        }

        try
        {
            using var document = JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = ScenarioLimits.Depth });
            return new DocumentValue(file, text, document.RootElement.Clone(), []);
        }
        catch (JsonException exception)
        {
            throw new ScenarioFormatException(
                $"{file}: {new NameFormatException((exception.LineNumber ?? 0) + 1, (exception.BytePositionInLine ?? 0) + 1, JsonMistake.OfSyntax(exception)).Message}", exception);
        }
    }

    /// <summary>The members of an object, whose names are anything.</summary>
    public IReadOnlyList<(string Name, DocumentValue Value)> Members(int most)
    {
        if (_value.ValueKind != JsonValueKind.Object)
        {
            throw Wrong("It has to be an object { }.");
        }

        var found = new List<(string, DocumentValue)>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var member in _value.EnumerateObject())
        {
            var value = Below(member.Name, member.Value);
            if (member.Name.Length > ScenarioLimits.Name)
            {
                throw Wrong($"A name has {member.Name.Length} characters; the limit is {ScenarioLimits.Name}.");
            }

            if (!names.Add(member.Name))
            {
                throw value.Wrong("It is there twice.");
            }

            found.Add((member.Name, value));
        }

        return found.Count <= most ? found : throw Wrong($"It has {found.Count} members; the limit is {most}.");
    }

    /// <summary>The members of an object, whose names are these.</summary>
    public IReadOnlyDictionary<string, DocumentValue> Members(params IReadOnlyCollection<string> known)
    {
        var found = Members(int.MaxValue);
        foreach (var (name, value) in found)
        {
            if (!known.Contains(name))
            {
                throw value.Wrong($"There is no such member. {Meant(name, known)}");
            }
        }

        return found.ToDictionary(member => member.Name, member => member.Value, StringComparer.Ordinal);
    }

    /// <summary>The items of a list.</summary>
    public IReadOnlyList<DocumentValue> Items(int most)
    {
        if (_value.ValueKind != JsonValueKind.Array)
        {
            throw Wrong("It has to be a list [ ].");
        }

        var self = this;
        return _value.GetArrayLength() <= most
            ? [.. _value.EnumerateArray().Select((item, index) => self.Below(index.ToString(CultureInfo.InvariantCulture), item))]
            : throw Wrong($"It has {_value.GetArrayLength()} items; the limit is {most}.");
    }

    /// <summary>A text.</summary>
    public string Text() => _value.ValueKind == JsonValueKind.String ? _value.GetString()! : throw Wrong("It has to be a text in quotes.");

    /// <summary>One of these words.</summary>
    public string Word(IReadOnlyCollection<string> known)
    {
        var word = Text();
        return known.Contains(word) ? word : throw Wrong($"\"{(word.Length <= MaxQuoted ? word : $"{word[..MaxQuoted]}…")}\" is no such word. {Meant(word, known)}");
    }

    /// <summary>An integer.</summary>
    public long Integer(long least = long.MinValue, long most = long.MaxValue) =>
        Integers.TryRead(_value, out var number) && number >= least && number <= most
            ? number
            : throw Wrong(least == long.MinValue ? "It has to be an integer." : $"It has to be an integer from {least} to {most}.");

    /// <summary>64 bits, as an integer that may have no sign.</summary>
    public long Bits() => _value.ValueKind == JsonValueKind.Number && _value.TryGetUInt64(out var bits) ? (long)bits : Integer();

    /// <summary>A number.</summary>
    public double Number() => _value.ValueKind == JsonValueKind.Number && _value.TryGetDouble(out var number) && double.IsFinite(number)
        ? number
        : throw Wrong("It has to be a number.");

    /// <summary>Says why this value is wrong, and where it is.</summary>
    public ScenarioFormatException Wrong(string reason)
    {
        var place = _path.Length > 0 ? $"{string.Join('.', _path)}: " : "";
        return new ScenarioFormatException($"{_file}: {NameFormatException.At(_text.Span, JsonPosition.Of(_text.Span, _path), place + reason).Message}");
    }

    internal static string Meant(string name, IReadOnlyCollection<string> known) => known.Count == 0 ? "There are none."
        : $"Did you mean {NearestName.Of(name.Length <= MaxQuoted ? name : name[..MaxQuoted], known)}?{(known.Count <= MaxShown ? $" There are {string.Join(", ", known)}." : "")}";

    private DocumentValue Below(string step, JsonElement value) => new(_file, _text, value, [.. _path, step]);
}
