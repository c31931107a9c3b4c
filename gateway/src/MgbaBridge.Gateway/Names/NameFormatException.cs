namespace MgbaBridge.Gateway.Names;

/// <summary>A file of names is wrong: where and why.</summary>
public sealed class NameFormatException(long line, long column, string reason) : Exception($"Line {line}, column {column}: {reason}")
{
    /// <summary>The line and column of a byte of a text, both from 1.</summary>
    public static NameFormatException At(ReadOnlySpan<byte> text, long offset, string reason)
    {
        var before = text[..(int)Math.Clamp(offset, 0, text.Length)];
        return new NameFormatException(before.Count((byte)'\n') + 1, before.Length - before.LastIndexOf((byte)'\n'), reason);
    }
}
