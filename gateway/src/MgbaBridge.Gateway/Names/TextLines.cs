namespace MgbaBridge.Gateway.Names;

/// <summary>Walks over the lines of a text.</summary>
internal ref struct TextLines(ReadOnlySpan<byte> text)
{
    private ReadOnlySpan<byte> _rest = text;

    /// <summary>The present line, without its end.</summary>
    public ReadOnlySpan<byte> Line { get; private set; }

    /// <summary>Its number, from 1.</summary>
    public int Number { get; private set; }

    /// <summary>Goes to the next line.</summary>
    public bool Read()
    {
        if (_rest.IsEmpty)
        {
            return false;
        }

        var end = _rest.IndexOf((byte)'\n');
        Line = (end < 0 ? _rest : _rest[..end]).TrimEnd((byte)'\r');
        _rest = end < 0 ? default : _rest[(end + 1)..];
        Number++;
        return true;
    }
}
