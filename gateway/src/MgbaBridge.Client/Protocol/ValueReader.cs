using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace MgbaBridge.Client.Protocol;

/// <summary>Enumerates the values of a reply without allocating.</summary>
/// <param name="values">The text after <c>ok</c>, after <c>error</c>, or after <c>epoch</c> in an event.</param>
public ref struct ValueReader(ReadOnlySpan<byte> values)
{
    private ReadOnlySpan<byte> _rest = values;
    private ReadOnlySpan<byte> _raw;

    /// <summary>The name of the current value, empty if it has none.</summary>
    public ReadOnlySpan<byte> Name { get; private set; }

    /// <summary>The kind of the current value.</summary>
    public ValueKind Kind { get; private set; }

    /// <summary>The current value in wire format, without quotes and with its escapes.</summary>
    public readonly ReadOnlySpan<byte> Raw => _raw;

    /// <summary>The current value if it is an integer, else 0.</summary>
    public long Integer { get; private set; }

    /// <summary>The current value if it is a boolean, else false.</summary>
    public readonly bool Boolean => Kind == ValueKind.Boolean && _raw[0] == (byte)'t';

    /// <summary>How many bytes follow the current value.</summary>
    public readonly int Left => _rest.Length;

    /// <summary>Advances to the next value. False at the end or at invalid text.</summary>
    public bool Read()
    {
        Name = default;
        _raw = default;
        Integer = 0;
        Kind = ValueKind.None;
        _rest = _rest.TrimStart((byte)' ');
        if (_rest.IsEmpty)
        {
            return false;
        }

        var name = NameLength(_rest);
        if (name > 0)
        {
            Name = _rest[..name];
            _rest = _rest[(name + 1)..];
        }

        return !_rest.IsEmpty && (_rest[0] == (byte)'"' ? ReadQuoted() : ReadBare());
    }

    /// <summary>Advances to the value with this name.</summary>
    public bool ReadTo(ReadOnlySpan<byte> name)
    {
        while (Read())
        {
            if (Name.SequenceEqual(name))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Reads the next value, which must be an integer.</summary>
    public bool TryReadInteger(out long value)
    {
        var found = Read() && Kind == ValueKind.Integer;
        value = Integer;
        return found;
    }

    /// <summary>The current value as text: unescaped, with invalid UTF-8 replaced.</summary>
    public readonly string GetText()
    {
        if (Kind != ValueKind.Text || !_raw.Contains((byte)'\\'))
        {
            return Encoding.UTF8.GetString(_raw);
        }

        var buffer = ArrayPool<byte>.Shared.Rent(_raw.Length);
        try
        {
            return QuotedText.TryUnescape(_raw, buffer, out var written)
                ? Encoding.UTF8.GetString(buffer, 0, written)
                : Encoding.UTF8.GetString(_raw);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private static int NameLength(ReadOnlySpan<byte> text)
    {
        var length = 0;
        while (length < text.Length && (char)text[length] is (>= 'a' and <= 'z') or (>= '0' and <= '9') or '_')
        {
            length++;
        }

        return length > 0 && length < text.Length && text[length] == (byte)'=' ? length : 0;
    }

    private bool ReadQuoted()
    {
        var end = 1;
        while (end < _rest.Length && _rest[end] != (byte)'"')
        {
            end += _rest[end] == (byte)'\\' ? 2 : 1;
        }

        if (end >= _rest.Length)
        {
            return false;
        }

        _raw = _rest[1..end];
        _rest = _rest[(end + 1)..];
        Kind = ValueKind.Text;
        return true;
    }

    private bool ReadBare()
    {
        var end = _rest.IndexOf((byte)' ');
        _raw = end < 0 ? _rest : _rest[..end];
        _rest = end < 0 ? default : _rest[end..];
        Kind = KindOf(_raw, out var integer);
        Integer = integer;
        return true;
    }

    private static ValueKind KindOf(ReadOnlySpan<byte> raw, out long integer)
    {
        if (TryInteger(raw, out integer))
        {
            return ValueKind.Integer;
        }

        return raw.SequenceEqual("true"u8) || raw.SequenceEqual("false"u8) ? ValueKind.Boolean
            : raw.SequenceEqual("nil"u8) ? ValueKind.Nothing
            : ValueKind.Word;
    }

    private static bool TryInteger(ReadOnlySpan<byte> raw, out long integer)
    {
        if (raw.StartsWith("0x"u8))
        {
            return long.TryParse(raw[2..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out integer);
        }

        return Utf8Parser.TryParse(raw, out integer, out var used) && used == raw.Length;
    }
}

/// <summary>The kinds of values in replies.</summary>
public enum ValueKind
{
    /// <summary>No value: before the first, after the last, or invalid text.</summary>
    None,
    Integer,
    Boolean,
    Nothing,

    /// <summary>A string in quotes.</summary>
    Text,

    /// <summary>A bare word, such as an error code or a topic.</summary>
    Word,
}
