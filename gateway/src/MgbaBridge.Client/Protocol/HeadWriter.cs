using System.Buffers;
using System.Buffers.Text;

namespace MgbaBridge.Client.Protocol;

/// <summary>Writes the head of one request, part by part, into the send buffer.</summary>
public ref struct HeadWriter
{
    private const int MaxNumber = 20;

    private readonly IBufferWriter<byte> _output;
    private Span<byte> _space;
    private int _used;

    /// <summary>Starts a head: <c>#id</c> or <c>#id+tail</c>.</summary>
    public HeadWriter(IBufferWriter<byte> output, long id, long? tailLength)
    {
        _output = output;
        _space = output.GetSpan();
        Reserve(1 + MaxNumber + 1 + MaxNumber);
        _space[_used++] = (byte)'#';
        Digits(id);
        if (tailLength is { } length)
        {
            _space[_used++] = (byte)'+';
            Digits(length);
        }
    }

    /// <summary>Starts an item of a batch: no id, <c>+tail</c> if it has one.</summary>
    public HeadWriter(IBufferWriter<byte> output, long? tailLength)
    {
        _output = output;
        _space = output.GetSpan();
        if (tailLength is { } length)
        {
            Reserve(1 + MaxNumber);
            _space[_used++] = (byte)'+';
            Digits(length);
        }
    }

    /// <summary>A command's name or a bare word. It must not need quotes.</summary>
    public void Word(scoped ReadOnlySpan<byte> word)
    {
        Reserve(1 + word.Length);
        _space[_used++] = (byte)' ';
        word.CopyTo(_space[_used..]);
        _used += word.Length;
    }

    /// <summary>An integer argument, decimal.</summary>
    public void Integer(long value)
    {
        Reserve(1 + MaxNumber);
        _space[_used++] = (byte)' ';
        Digits(value);
    }

    /// <summary>A boolean argument.</summary>
    public void Boolean(bool value) => Word(value ? "true"u8 : "false"u8);

    /// <summary>A string argument in quotes; any bytes.</summary>
    public void Text(scoped ReadOnlySpan<byte> text)
    {
        Reserve(1);
        _space[_used++] = (byte)' ';
        Quoted(text);
    }

    /// <summary>A named integer: <c>name=value</c>.</summary>
    public void Named(scoped ReadOnlySpan<byte> name, long value)
    {
        Name(name);
        Reserve(MaxNumber);
        Digits(value);
    }

    /// <summary>A named boolean.</summary>
    public void Named(scoped ReadOnlySpan<byte> name, bool value)
    {
        Name(name);
        Raw(value ? "true"u8 : "false"u8);
    }

    /// <summary>A named string in quotes; any bytes.</summary>
    public void Named(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> text)
    {
        Name(name);
        Quoted(text);
    }

    /// <summary>A named bare word, which must not need quotes: <c>holder=compat</c>.</summary>
    public void NamedWord(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> word)
    {
        Name(name);
        Raw(word);
    }

    /// <summary>A named epoch: eight hex digits.</summary>
    public void NamedEpoch(scoped ReadOnlySpan<byte> name, Epoch epoch)
    {
        Name(name);
        Reserve(Epoch.Digits);
        epoch.Format(_space[_used..]);
        _used += Epoch.Digits;
    }

    /// <summary>Ends the head; a tail may follow in the same buffer.</summary>
    public void End()
    {
        Raw(Wire.Terminator);
        _output.Advance(_used);
        _space = default;
        _used = 0;
    }

    private void Name(scoped ReadOnlySpan<byte> name)
    {
        Word(name);
        Reserve(1);
        _space[_used++] = (byte)'=';
    }

    private void Raw(scoped ReadOnlySpan<byte> bytes)
    {
        Reserve(bytes.Length);
        bytes.CopyTo(_space[_used..]);
        _used += bytes.Length;
    }

    private void Quoted(scoped ReadOnlySpan<byte> text)
    {
        Reserve((text.Length * QuotedText.MaxGrowth) + 2);
        _space[_used++] = (byte)'"';
        _used += QuotedText.Escape(text, _space[_used..]);
        _space[_used++] = (byte)'"';
    }

    private void Digits(long value)
    {
        Utf8Formatter.TryFormat(value, _space[_used..], out var written);
        _used += written;
    }

    private void Reserve(int length)
    {
        if (_space.Length - _used < length)
        {
            _output.Advance(_used);
            _used = 0;
            _space = _output.GetSpan(length);
        }
    }
}
