using System.Text;

namespace MgbaBridge.Gateway.Testing;

/// <summary>What rules look at to find the suite of a ROM.</summary>
internal sealed class RomContent
{
    private const int MaxBytes = 33_554_432;
    private const int GbaTitle = 0xA0;
    private const int GbaTitleLength = 12;
    private const int GbTitle = 0x134;
    private const int GbTitleLength = 15;

    private static readonly string[] Endings = [".gb", ".gbc", ".gba"];

    private readonly byte[] _bytes;

    private RomContent(string path, byte[] bytes)
    {
        (Path, _bytes) = (path, bytes);
        SlashedPath = System.IO.Path.GetFullPath(path).Replace('\\', '/');
        IsGba = !IsGb(path);
        Title = Text(IsGba ? GbaTitle : GbTitle, IsGba ? GbaTitleLength : GbTitleLength);
    }

    /// <summary>Its path.</summary>
    public string Path { get; }

    /// <summary>Its whole path with <c>/</c> between folders.</summary>
    public string SlashedPath { get; }

    /// <summary>Whether it is of the GBA.</summary>
    public bool IsGba { get; }

    /// <summary>The title in its header.</summary>
    public string Title { get; }

    /// <summary>Whether a file is named as a ROM.</summary>
    public static bool IsRom(string path) => Endings.Contains(System.IO.Path.GetExtension(path), StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a file is named as a ROM of the GB.</summary>
    public static bool IsGb(string path) => System.IO.Path.GetExtension(path).ToUpperInvariant() is ".GB" or ".GBC";

    /// <summary>Reads it.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static RomContent Read(string path)
    {
        using var file = File.OpenRead(path);
        var bytes = new byte[Math.Min(file.Length, MaxBytes)];
        file.ReadExactly(bytes);
        return new RomContent(path, bytes);
    }

    /// <summary>Whether these bytes are in it.</summary>
    public bool Has(byte[] bytes) => _bytes.AsSpan().IndexOf(bytes) >= 0;

    /// <summary>Whether these bytes are at an offset.</summary>
    public bool HasAt(int offset, byte[] bytes) => offset <= _bytes.Length && _bytes.AsSpan(offset).StartsWith(bytes);

    private string Text(int at, int length)
    {
        if (_bytes.Length < at + length)
        {
            return "";
        }

        var text = _bytes.AsSpan(at, length);
        return Encoding.Latin1.GetString(text.IndexOf((byte)0) is >= 0 and var end ? text[..end] : text);
    }
}
