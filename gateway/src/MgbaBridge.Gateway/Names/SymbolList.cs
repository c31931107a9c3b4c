using System.Text;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

/// <summary>The symbols of a file while it is read, within the limits.</summary>
internal sealed class SymbolList
{
    private readonly List<Symbol> _all = [];
    private long _text;

    /// <summary>All, in the order of the file.</summary>
    public List<Symbol> All => _all;

    /// <summary>Adds a symbol of an ELF file.</summary>
    /// <exception cref="NameFormatException">It is beyond a limit.</exception>
    public void Add(ReadOnlySpan<byte> name, Location location, long size)
    {
        CheckLength(name.Length, 1);
        Add(new Symbol(Encoding.UTF8.GetString(name), location, size), 1);
    }

    /// <summary>Adds a symbol of a line of text.</summary>
    /// <exception cref="NameFormatException">It is beyond a limit.</exception>
    public void Add(string name, Location location, int line)
    {
        CheckLength(Encoding.UTF8.GetByteCount(name), line);
        Add(new Symbol(name, location, 0), line);
    }

    private void Add(in Symbol symbol, int line)
    {
        if (_all.Count == NameLimits.Symbols)
        {
            throw new NameFormatException(line, 1, $"The file has more than {NameLimits.Symbols} symbols, the most that are taken.");
        }

        _text += symbol.Name.Length;
        if (_text > NameLimits.SymbolText)
        {
            throw new NameFormatException(
                line, 1, $"The names of the first {_all.Count + 1} symbols have {_text} characters; the limit is {NameLimits.SymbolText} for all of a file.");
        }

        _all.Add(symbol);
    }

    private static void CheckLength(int bytes, int line)
    {
        if (bytes > NameLimits.SymbolName)
        {
            throw new NameFormatException(line, 1, $"A symbol's name has {bytes} bytes or more; the limit is {NameLimits.SymbolName}.");
        }
    }
}
