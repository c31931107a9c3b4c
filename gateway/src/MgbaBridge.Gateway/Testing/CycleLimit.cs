using System.Globalization;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Testing;

/// <summary>How many cycles may pass from one address of code to another: <c>main_loop &lt; 280896 cycles</c>.</summary>
/// <param name="From">A name or an address.</param>
/// <param name="To">The same.</param>
/// <param name="Most">The most cycles.</param>
/// <param name="Text">As it is written.</param>
internal sealed partial record CycleLimit(string From, string To, long Most, string Text)
{
    /// <summary>How it is written.</summary>
    public const string ExpectedFormat = "A measure is a name or an address of code, or two with \"to\" between, then < or <= and a number of cycles up to 4294967295, such as main_loop < 280896 cycles.";

    private const string Cartridge = "cart0";
    private const long BankSize = 0x4000;
    private const long GbRomEnd = 0x8000;
    private const long GbaRom = 0x0800_0000;

    /// <summary>Reads it; null for another text.</summary>
    public static CycleLimit? Parse(string text)
    {
        if (Pattern().Match(text) is not { Success: true } read || !long.TryParse(read.Groups["limit"].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out var limit))
        {
            return null;
        }

        var most = read.Groups["than"].Value == "<" ? limit - 1 : limit;
        var from = read.Groups["from"].Value;
        return most is >= 0 and <= uint.MaxValue ? new CycleLimit(from, read.Groups["to"] is { Success: true } to ? to.Value : from, most, text) : null;
    }

    /// <summary>The two places as the emulator takes them. What is wrong, or null.</summary>
    /// <param name="names">The names of the game.</param>
    /// <param name="isGameBoy">Whether it is one of the Game Boy.</param>
    /// <param name="places">The places.</param>
    public string? Find(GameSymbols names, bool isGameBoy, out string places)
    {
        var wrong = Find(names, isGameBoy, From, out var from) ?? Find(names, isGameBoy, To, out _);
        Find(names, isGameBoy, To, out var to);
        places = $"{from} {to}";
        return wrong;
    }

    private static string? Find(GameSymbols names, bool isGameBoy, string name, out string place)
    {
        place = "";
        Location found;
        if (names.Symbols is { } table && table.TryGet(name, out var symbol))
        {
            found = symbol.Location;
        }
        else if (!Location.TryParse(name, out found))
        {
            return $"{name} is neither a symbol of this game nor an address of code, such as 0x08000150 or, in a bank of a Game Boy, cart0:0x4000.";
        }

        (place, var wrong) = found switch
        {
            { Domain: null, Offset: >= BankSize and < GbRomEnd } when isGameBoy => ("", $"{name} is in one of several banks: name it by its offset in the ROM, such as cart0:0x4000."),
            { Domain: null } => (Hex(found.Offset), null),
            { Domain: Cartridge } when !isGameBoy => (Hex(GbaRom + found.Offset), null),
            { Domain: Cartridge, Offset: < BankSize } => (Hex(found.Offset), null),
            { Domain: Cartridge } => ($"{Hex(found.Offset / BankSize)}:{Hex(BankSize + (found.Offset % BankSize))}", null),
            _ => ("", $"{name} is in {found.Domain}, where no code is measured: give its address."),
        };
        return wrong;
    }

    private static string Hex(long number) => number.ToString("x", CultureInfo.InvariantCulture);

    [GeneratedRegex("^(?<from>[^ ]+)(?: to (?<to>[^ ]+))? (?<than><=?) (?<limit>[0-9]{1,10}) cycles$", RegexOptions.CultureInvariant)]
    private static partial Regex Pattern();
}
