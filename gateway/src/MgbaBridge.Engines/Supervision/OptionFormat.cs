using System.Globalization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Supervision;

/// <summary>The texts that an option of emulators may be, as mgba-headless takes them.</summary>
/// <param name="Expected">What they are, as in "expected none".</param>
/// <param name="IsValid">Whether a text is one.</param>
internal sealed record OptionFormat(string Expected, Func<string, bool> IsValid)
{
    private const string None = "none";
    private const uint FirstAddress = 0x0200_0000;
    private const uint EndAddress = 0x0E00_0000;
    private const int AddressDigits = 8;
    private const int ColourDigits = 6;

    /// <summary>The names of what a GBA cartridge can have.</summary>
    public static IReadOnlyList<string> Devices { get; } = ["rtc", "rumble", "light", "gyro", "tilt", "e-reader", "gb-player"];

    /// <summary>The names of mGBA's sets of colours. Those of the Game Boy Color may be written without GBC, and end with the keys that choose them there.</summary>
    public static IReadOnlyList<string> Palettes { get; } =
    [
        "Grayscale", "DMG Green", "GB Pocket", "GB Light", "GBC Brown ↑", "GBC Red ↑A", "GBC Dark Brown ↑B", "GBC Pale Yellow ↓", "GBC Orange ↓A", "GBC Yellow ↓B", "GBC Blue ←", "GBC Dark Blue ←A",
        "GBC Gray ←B", "GBC Green →", "GBC Dark Green →A", "GBC Reverse →B", .. from set in "1234" from letter in "ABCDEFGH" select $"SGB {set}-{letter}",
    ];

    /// <summary>What a GBA cartridge has.</summary>
    public static OptionFormat Hardware { get; } = new(
        $"none, or one or more of {string.Join(", ", Devices)}, joined by commas",
        static text => IsNone(text) || text.Split(',').All(static name => Devices.Contains(name, StringComparer.OrdinalIgnoreCase)));

    /// <summary>The address of a loop.</summary>
    public static OptionFormat IdleLoop { get; } = new("none, or the address of an instruction in RAM or ROM, such as 0x08000D3C", static text => IsNone(text) || IsInstruction(text));

    /// <summary>Colours.</summary>
    public static OptionFormat Palette { get; } = new(
        $"4 or 12 colours RRGGBB joined by commas, or one of mGBA's sets: {string.Join(", ", Palettes.Where(static name => !name.StartsWith("SGB", StringComparison.Ordinal)).Select(ShortName))}, SGB 1-A to SGB 4-H",
        static text => AreColours(text) || Palettes.Any(name => IsPalette(name, text)));

    /// <summary>How a clock runs.</summary>
    public static OptionFormat Clock { get; } = new(SetClock.ExpectedFormat, static text => SetClock.TryParse(text, out _));

    private static bool IsNone(string text) => text.Equals(None, StringComparison.OrdinalIgnoreCase);

    private static bool IsInstruction(string text) =>
        text.Length <= 2 + AddressDigits && text.StartsWith("0x", StringComparison.Ordinal) && uint.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var address)
        && address is >= FirstAddress and < EndAddress && address % 2 == 0;

    private static bool AreColours(string text) => text.Split(',') is { Length: 4 or 12 } colours && colours.All(static colour => colour.Length == ColourDigits && colour.All(char.IsAsciiHexDigit));

    private static string ShortName(string name)
    {
        var keys = name.AsSpan().IndexOfAny("↑↓←→");
        var plain = keys < 0 ? name : name[..(keys - 1)];
        return plain.StartsWith("GBC ", StringComparison.Ordinal) ? plain[4..] : plain;
    }

    private static bool IsPalette(string name, string text) =>
        ShortName(name) is var plain && (text.Equals(name, StringComparison.OrdinalIgnoreCase) || text.Equals(plain, StringComparison.OrdinalIgnoreCase)
            || (name.StartsWith("GBC ", StringComparison.Ordinal) && text.Equals($"GBC {plain}", StringComparison.OrdinalIgnoreCase)));
}
