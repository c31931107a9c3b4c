using System.Text;

namespace MgbaBridge.Engines.Supervision;

/// <summary>The Lua script that belongs to this version of the program.</summary>
internal static class EmbeddedScript
{
    private const string VersionLine = "local VERSION <const> = \"";

    /// <summary>Its file name.</summary>
    public const string Name = "mgba-bridge.lua";

    /// <summary>Its bytes.</summary>
    public static byte[] Bytes { get; } = Read(Name);

    /// <summary>Its version.</summary>
    public static string? Version => VersionOf(Encoding.UTF8.GetString(Bytes));

    /// <summary>The version of a script, or null when the text is not the script.</summary>
    public static string? VersionOf(string script)
    {
        var start = script.IndexOf(VersionLine, StringComparison.Ordinal);
        return start < 0 ? null : script[(start + VersionLine.Length)..].Split('"')[0];
    }

    /// <summary>An embedded file.</summary>
    public static byte[] Read(string name)
    {
        using var stream = typeof(EmbeddedScript).Assembly.GetManifestResourceStream(name)!;
        var bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }
}
