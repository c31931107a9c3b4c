using System.Globalization;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>A register of a device.</summary>
/// <param name="Part">The device.</param>
/// <param name="Name">Its name.</param>
/// <param name="First">The address of the console's first register.</param>
/// <param name="Offset">Its place behind the first.</param>
/// <param name="Size">How many bytes it has.</param>
/// <param name="IsColor">Whether only a Game Boy Color has it.</param>
/// <param name="Fields">What its bits mean.</param>
internal sealed partial record HardwareRegister(string Part, string Name, long First, int Offset, int Size, bool IsColor, IReadOnlyList<HardwareField> Fields)
{
    private const long GbaFirst = 0x04000000;
    private const long GameBoyFirst = 0xFF00;
    private const int GameBoyInterrupts = 0xFF; // in no domain
    private const string Domain = "io";

    /// <summary>Those of a GBA.</summary>
    public static IReadOnlyList<HardwareRegister> OfGba { get; } = Read(HardwareTables.Gba, GbaFirst, 2);

    /// <summary>Those of a Game Boy.</summary>
    public static IReadOnlyList<HardwareRegister> OfGameBoy { get; } = Read(HardwareTables.GameBoy, GameBoyFirst, 1);

    /// <summary>Its address.</summary>
    public long Address => First + Offset;

    /// <summary>Where it is read without effect: the bus asks for keys and starts what a read starts.</summary>
    public Location Location => Address == GameBoyFirst + GameBoyInterrupts ? Location.Bus(Address) : new Location(Domain, Offset);

    /// <summary>What its value means.</summary>
    public HardwareRegisterAnswer Decode(ReadOnlySpan<byte> bytes)
    {
        var value = 0L;
        for (var index = Size - 1; index >= 0; index--)
        {
            value = (value << 8) | bytes[index];
        }

        return new HardwareRegisterAnswer(Name, Hex.Of(Address), value, [.. Fields.Select(field => field.Decode(value))]);
    }

    private static List<HardwareRegister> Read(string table, long first, int size)
    {
        var registers = new List<HardwareRegister>();
        var part = "";
        foreach (var line in table.Split('\n'))
        {
            if (PartLine().Match(line) is { Success: true } header)
            {
                part = header.Groups["part"].Value;
                continue;
            }

            var register = RegisterLine().Match(line);
            if (!register.Success)
            {
                throw new FormatException(line);
            }

            registers.Add(new HardwareRegister(
                part,
                register.Groups["name"].Value,
                first,
                int.Parse(register.Groups["offset"].ValueSpan, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture),
                register.Groups["mark"].Value == "4" ? 4 : size,
                register.Groups["mark"].Value == "c",
                [.. register.Groups["field"].Captures.Select(field => HardwareField.Read(FieldText().Match(field.Value)))]));
        }

        return registers;
    }

    [GeneratedRegex(@"^\[(?<part>\w+)\]\s*$")]
    private static partial Regex PartLine();

    [GeneratedRegex(@"^(?<offset>[0-9A-F]+)(/(?<mark>[4c]))? (?<name>\w+)( (?<field>\w+:[0-9-]+s?(\([^)]*\))?(\*[0-9A-F]+\+[0-9A-F]+)?))*\s*$")]
    private static partial Regex RegisterLine();

    [GeneratedRegex(@"^(?<name>\w+):(?<first>\d+)(-(?<last>\d+))?(?<sign>s)?(\((?<meanings>[^)]*)\))?(\*(?<unit>[0-9A-F]+)\+(?<base>[0-9A-F]+))?$")]
    private static partial Regex FieldText();
}

/// <summary>Some bits of a register.</summary>
/// <param name="Name">Their name.</param>
/// <param name="First">The lowest.</param>
/// <param name="Count">How many.</param>
/// <param name="IsSigned">Whether the highest is a sign.</param>
/// <param name="Meanings">What the values mean; empty where they are numbers.</param>
/// <param name="Unit">How many bytes a unit of the value is, where it is an address; otherwise 0.</param>
/// <param name="Base">The address that it is added to.</param>
internal sealed record HardwareField(string Name, int First, int Count, bool IsSigned, IReadOnlyList<string> Meanings, long Unit, long Base)
{
    /// <summary>Reads one of a table.</summary>
    public static HardwareField Read(Match match)
    {
        var (first, last) = (Number(match, "first", NumberStyles.None), match.Groups["last"].Success ? Number(match, "last", NumberStyles.None) : Number(match, "first", NumberStyles.None));
        return new HardwareField(
            match.Groups["name"].Value,
            (int)first,
            (int)(last - first + 1),
            match.Groups["sign"].Success,
            match.Groups["meanings"].Success ? match.Groups["meanings"].Value.Split('|') : [],
            Number(match, "unit", NumberStyles.AllowHexSpecifier),
            Number(match, "base", NumberStyles.AllowHexSpecifier));
    }

    /// <summary>What they are in a value.</summary>
    public HardwareFieldAnswer Decode(long register)
    {
        var value = (register >> First) & ((1L << Count) - 1);
        if (IsSigned && value >> (Count - 1) != 0)
        {
            value -= 1L << Count;
        }

        return new HardwareFieldAnswer(Name, value, Unit > 0 ? Hex.Of(Base + (value * Unit)) : value >= 0 && value < Meanings.Count ? Meanings[(int)value] : null);
    }

    private static long Number(Match match, string group, NumberStyles style) => match.Groups[group].Success ? long.Parse(match.Groups[group].ValueSpan, style, CultureInfo.InvariantCulture) : 0;
}
