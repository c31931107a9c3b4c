using YamlDotNet.Core;
using YamlDotNet.Core.Events;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Engines.Yaml;

/// <summary>Reads a YAML document.</summary>
internal static class YamlText
{
    /// <summary>The value that a text with one document has.</summary>
    /// <exception cref="YamlFormatException">It is wrong.</exception>
    public static YamlNode Read(TextReader text)
    {
        try
        {
            var yaml = new YamlStream();
            yaml.Load(new NestingLimit(new Parser(text)));
            return yaml.Documents is [var document] ? document.RootNode : throw new YamlFormatException(1, 1, "One YAML document is expected.");
        }
        catch (YamlException exception)
        {
            throw new YamlFormatException((int)exception.Start.Line, (int)exception.Start.Column, exception.InnerException?.Message ?? exception.Message);
        }
    }

    /// <summary>Refuses values in too many others, which would be read in as many calls.</summary>
    private sealed class NestingLimit(IParser parser) : IParser
    {
        private const int MaxDepth = 64;

        private int _depth;

        public ParsingEvent? Current => parser.Current;

        public bool MoveNext()
        {
            var moved = parser.MoveNext();
            _depth += parser.Current?.NestingIncrease ?? 0;
            return _depth <= MaxDepth ? moved : throw new YamlException(parser.Current!.Start, parser.Current.End, $"Values are in up to {MaxDepth} others.");
        }
    }
}

/// <summary>A YAML document is wrong: where, both from 1, and why.</summary>
internal sealed class YamlFormatException(int line, int column, string reason) : Exception(reason)
{
    /// <summary>The line.</summary>
    public int Line => line;

    /// <summary>The column.</summary>
    public int Column => column;
}
