using System.Globalization;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>How the ROMs of a test suite are found, run and judged (docs/testing.md).</summary>
/// <param name="Name">Its name.</param>
/// <param name="Where">Where it is written, for error messages.</param>
internal sealed record VerdictRule(string Name, string Where)
{
    /// <summary>The most frames of a ROM unless a rule says another number.</summary>
    public const long DefaultFrames = 7_200;

    /// <summary>The suite: several rules of one suite may fit a ROM, which is then tested by each.</summary>
    public string Suite { get; init; } = Name;

    /// <summary>Which ROMs it fits.</summary>
    public RomPattern Fits { get; init; } = new();

    /// <summary>What the emulator is started with.</summary>
    public EmulatorOptions Options { get; init; } = new();

    /// <summary>Models by what is in a file's name: the first that is there counts.</summary>
    public IReadOnlyList<(Regex Name, string Model)> Models { get; init; } = [];

    /// <summary>Keys that are held from a frame on.</summary>
    public IReadOnlyList<(long Frame, KeySet Keys)> Keys { get; init; } = [];

    /// <summary>The most frames.</summary>
    public long Frames { get; init; } = DefaultFrames;

    /// <summary>What ends a ROM, as <c>--until</c> takes it; nothing: what <c>mgba-rom-test</c> takes as the end, with the exit code as the verdict.</summary>
    public IReadOnlyList<string> Ends { get; init; } = [];

    /// <summary>The ends in words.</summary>
    public string EndsText { get; init; } = "the ROM's own end";

    /// <summary>What holds when a ROM has passed.</summary>
    public RuleCondition? Passes { get; init; }

    /// <summary>What holds when it has failed.</summary>
    public RuleCondition? Fails { get; init; }

    /// <summary>The pictures with which that of the ROM is compared: the first that exists. <c>{name}</c> is the ROM's name without suffix.</summary>
    public IReadOnlyList<string> Pictures { get; init; } = [];

    /// <summary>How they are compared.</summary>
    public PictureComparison Comparison { get; init; } = new();

    /// <summary>Where a text of the ROM is that ends with a zero byte; null for none.</summary>
    public long? Text { get; init; }

    /// <summary>Found in the text when a ROM has passed.</summary>
    public Regex? PassesText { get; init; }

    /// <summary>Found in the text when it has failed.</summary>
    public Regex? FailsText { get; init; }

    /// <summary>How many bytes a character of the text has: the first is the letter.</summary>
    public int TextStep { get; init; } = 1;

    /// <summary>Found in a line of the log when a ROM has passed.</summary>
    public Regex? PassesLog { get; init; }

    /// <summary>Found in a line of the log when it has failed.</summary>
    public Regex? FailsLog { get; init; }

    /// <summary>What is said of a failure; places in braces are replaced.</summary>
    public RuleMessage? Says { get; init; }

    /// <summary>Finds the hexadecimal digits in a ROM's name that its picture shows at the top left; null for none.</summary>
    public Regex? Digits { get; init; }

    /// <summary>The model for a ROM, or null.</summary>
    public string? ModelOf(string rom)
    {
        var name = Path.GetFileNameWithoutExtension(rom);
        return Models.FirstOrDefault(model => model.Name.IsMatch(name)).Model ?? Options.Model;
    }

    /// <summary>Which keys were held for how many frames, in a run of so many.</summary>
    public IEnumerable<string> KeysUntil(long frames)
    {
        IEnumerable<(long Frame, KeySet Keys)> changes = [(0, default), .. Keys.Where(keys => keys.Frame < frames), (frames, default)];
        return changes.Zip(changes.Skip(1), static (held, next) => (held.Keys, Count: next.Frame - held.Frame)).Where(static held => held.Count > 0)
            .Select(static held => string.Create(CultureInfo.InvariantCulture, $"{(held.Keys.Mask == 0 ? "." : held.Keys)} {held.Count}"));
    }

    /// <summary>The picture that is expected of a ROM; null where none of them exists.</summary>
    public string? PictureOf(string rom) => PathsOfPictures(rom).FirstOrDefault(File.Exists);

    /// <summary>Where such a picture may be.</summary>
    public IEnumerable<string> PathsOfPictures(string rom) =>
        Pictures.Select(picture => Path.Combine(Path.GetDirectoryName(rom) ?? "", picture.Replace("{name}", Path.GetFileNameWithoutExtension(rom), StringComparison.Ordinal)));

    /// <summary>Whether it is for this ROM.</summary>
    public bool IsFor(RomContent rom) => Fits.Matches(rom) && (!Fits.HasPicture || PictureOf(rom.Path) is not null);
}

/// <summary>Which ROMs a rule fits: all that is given holds.</summary>
internal sealed record RomPattern
{
    /// <summary>The console: true for GBA, false for GB; null for both.</summary>
    public bool? IsGba { get; init; }

    /// <summary>Found in the path, with <c>/</c> between folders.</summary>
    public Regex? InPath { get; init; }

    /// <summary>Not found in it.</summary>
    public Regex? NotInPath { get; init; }

    /// <summary>Found in the title of the header.</summary>
    public Regex? InTitle { get; init; }

    /// <summary>Each is somewhere in the ROM.</summary>
    public IReadOnlyList<byte[]> Bytes { get; init; } = [];

    /// <summary>None of them is in the ROM.</summary>
    public IReadOnlyList<byte[]> NoBytes { get; init; } = [];

    /// <summary>Bytes at offsets of the file, and whether they have to be equal.</summary>
    public IReadOnlyList<(int Offset, bool IsEqual, byte[] Bytes)> At { get; init; } = [];

    /// <summary>Whether there has to be one of the rule's pictures.</summary>
    public bool HasPicture { get; init; }

    /// <summary>Whether a ROM is so, pictures aside.</summary>
    public bool Matches(RomContent rom) =>
        (IsGba is null || IsGba == rom.IsGba)
        && InPath?.IsMatch(rom.SlashedPath) != false
        && NotInPath?.IsMatch(rom.SlashedPath) != true
        && InTitle?.IsMatch(rom.Title) != false
        && At.All(each => rom.HasAt(each.Offset, each.Bytes) == each.IsEqual)
        && Bytes.All(rom.Has)
        && !NoBytes.Any(rom.Has);
}
