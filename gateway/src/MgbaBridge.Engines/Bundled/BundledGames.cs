namespace MgbaBridge.Engines.Bundled;

/// <summary>The games that come with this program: what settings and callers may name instead of a file.</summary>
public static class BundledGames
{
    /// <summary>The game that is played when none is named (docs/demo.md).</summary>
    public const string Demo = ":demo:";

    /// <summary>The game of tests (headless/roms/README.md).</summary>
    public const string Test = ":test:";

    /// <summary>The file of the demo game in this program.</summary>
    internal const string DemoFile = "demo.gba";

    /// <summary>The file of a game in this program; null when this names a file of the user.</summary>
    internal static string? FileOf(string rom) => rom switch
    {
        Demo => DemoFile,
        Test => "mgba-bridge-test.gba",
        _ => null,
    };

    /// <summary>Whether this is the name of such a game, and not a file.</summary>
    public static bool Has(string rom) => FileOf(rom) is not null;

    /// <summary>The content of a file in this program.</summary>
    internal static byte[] Read(string name)
    {
        using var resource = typeof(BundledGames).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"{name} is missing in this program.");
        var content = new byte[resource.Length];
        resource.ReadExactly(content);
        return content;
    }
}
