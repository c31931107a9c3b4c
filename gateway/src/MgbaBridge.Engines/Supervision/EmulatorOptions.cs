using System.ComponentModel.DataAnnotations;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// What an emulator can be started with, besides its ROM. <see cref="EmulatorOption.All"/> declares each of them once: from there come the options of
/// <c>mgba-bridge run</c>, the parameters of operations, the fields of test files and the arguments of the emulator. The properties that are no lists are
/// settings as well.
/// </summary>
public record EmulatorOptions
{
    /// <summary>Frames a second at most.</summary>
    public const double MaxFps = 100_000;

    /// <summary>Megabytes of a history at most.</summary>
    public const int MaxHistory = 4_096;

    /// <summary>The patch (IPS, UPS, BPS) of the ROM.</summary>
    public string? Patch { get; set; }

    /// <summary>The file of cheats (libretro's .cht, mGBA's .cheats).</summary>
    public string? Cheats { get; set; }

    /// <summary>What it continues from: the file of a save state, or the name of one that the gateway keeps. Default: its save file.</summary>
    public string? State { get; set; }

    /// <summary>Frames a second; 0 runs as fast as possible. Default: the console's own rate.</summary>
    [Range(0.0, MaxFps)]
    public double? Fps { get; set; }

    /// <summary>Whether it runs in a window.</summary>
    public bool Window { get; set; }

    /// <summary>Whether it is paused when it starts.</summary>
    public bool Paused { get; set; }

    /// <summary>Whether it starts again when the file of its ROM is built again. Default: no; the page offers it.</summary>
    public bool Watch { get; set; }

    /// <summary>Whether it begins anew also when its last run did not end in order. Otherwise it continues from its newest automatic state.</summary>
    public bool Fresh { get; set; }

    /// <summary>Whether it neither reads nor writes save files of earlier runs: what the game saves is kept until the emulator ends.</summary>
    public bool NoSaves { get; set; }

    /// <summary>Whether <c>mgba-bridge run</c> leaves out patches and cheats beside the ROMs, which mGBA's window applies.</summary>
    public bool NoAuto { get; set; }

    /// <summary>Settings of mGBA, as <c>key=value</c>.</summary>
    public IReadOnlyList<string>? Config { get; set; }

    /// <summary>What a GBA cartridge saves to. Default: what mGBA finds.</summary>
    public string? SaveType { get; set; }

    /// <summary>What a GBA cartridge has besides, joined by commas. Default: what mGBA finds.</summary>
    public string? Hardware { get; set; }

    /// <summary>The address of the loop in which a GBA game waits. Default: what mGBA finds.</summary>
    public string? IdleLoop { get; set; }

    /// <summary>The console. Default: what mGBA chooses for the ROM.</summary>
    public string? Model { get; set; }

    /// <summary>The controller of a GB cartridge. Default: that of its header.</summary>
    public string? Mbc { get; set; }

    /// <summary>The colours of GB games. Default: greys.</summary>
    public string? Palette { get; set; }

    /// <summary>The file of the console's BIOS. Default: mGBA's own.</summary>
    public string? Bios { get; set; }

    /// <summary>Whether a game starts without what the BIOS shows first.</summary>
    public bool SkipBios { get; set; }

    /// <summary>What a game with a clock reads. Default: the time of the machine.</summary>
    public string? Clock { get; set; }

    /// <summary>The port at which GDB or lldb on this machine can debug a GBA game; further games take the next ports. Default: none.</summary>
    [Range(1, ushort.MaxValue)]
    public int? Gdb { get; set; }

    /// <summary>In how many megabytes the history of the game is kept, to go back in it. Default: none is kept until a client asks for it.</summary>
    [Range(1, MaxHistory)]
    public int? History { get; set; }

    /// <summary>Why an option cannot be used with a window when this starts it; nothing when all can.</summary>
    internal IEnumerable<(EmulatorOption Option, string Instead)> NotInWindow(EmulatorStarter starter) =>
        from option in EmulatorOption.All
        where Window && option.NotInWindow is { } limit && limit.Of.HasFlag(starter) && option.IsGiven(this)
        select (option, option.NotInWindow!.Value.Instead);

    /// <summary>What is wrong with an option that a window cannot have, to follow a name of the option.</summary>
    internal static string NoWindow(string instead) => $"cannot be used with a window; start the game without one, or {instead}.";

    /// <summary>The files that it names.</summary>
    internal IEnumerable<string> Files => EmulatorOption.All.Where(static option => option.File is not null).Select(option => option.TextOf(this)).OfType<string>();

    /// <summary>The same with whole paths of the files.</summary>
    internal EmulatorOptions WithFullPaths() => EmulatorOption.All.OfType<EmulatorOption<string?>>()
        .Aggregate(this, static (options, option) => option is { File: not null } && option.Of(options) is { } path ? option.With(options, Path.GetFullPath(path)) : options);

    /// <summary>Those by which another emulator plays what this one recorded; a recording has its cheats and its clock.</summary>
    internal EmulatorOptions OfRecordings => new()
    {
        Patch = Patch,
        SaveType = SaveType,
        Hardware = Hardware,
        IdleLoop = IdleLoop,
        Model = Model,
        Mbc = Mbc,
        Palette = Palette,
        Bios = Bios,
        SkipBios = SkipBios,
    };

    /// <summary>Those that <c>mgba-bridge run</c> takes, as its arguments in a shell.</summary>
    internal IEnumerable<string> RunArguments =>
        from option in EmulatorOption.Of(EmulatorStarter.Run)
        where option.IsGiven(this)
        select option switch
        {
            EmulatorOption<bool> => option.RunName,
            EmulatorOption<string?> => $"{option.RunName} \"{option.TextOf(this)}\"",
            _ => $"{option.RunName} {option.TextOf(this)}",
        };

    /// <summary>The arguments of the emulator.</summary>
    internal IEnumerable<string> Arguments => EmulatorOption.All.SelectMany(option => option.ArgumentsOf(this));
}

/// <summary>What starts an emulator.</summary>
[Flags]
internal enum EmulatorStarter
{
    /// <summary><c>mgba-bridge run</c>, and the settings that it is given.</summary>
    Run = 1,

    /// <summary>The operation <c>emulators.start</c>.</summary>
    Operation = 2,

    /// <summary>A test file.</summary>
    TestFile = 4,

    /// <summary>A session of the fleet.</summary>
    Fleet = 8,
}

/// <summary>A file that an option names.</summary>
/// <param name="Kind">What it is, for error messages.</param>
/// <param name="Missing">How it fails when there is none in the folders for ROMs; null when callers of operations name something else.</param>
/// <param name="IsOfOneRom">Whether only one ROM can have it.</param>
internal sealed record OptionFile(string Kind, SupervisionFailure? Missing, bool IsOfOneRom = true);

/// <summary>The declaration of an option of emulators.</summary>
/// <param name="name">Its name in operations.</param>
internal abstract class EmulatorOption(string name)
{
    private const EmulatorStarter EveryStarter = EmulatorStarter.Run | EmulatorStarter.Operation | EmulatorStarter.TestFile | EmulatorStarter.Fleet;

    private static readonly (EmulatorStarter Of, string Instead) InOverrides = (EmulatorStarter.Run | EmulatorStarter.Operation, "set it in its menu Tools > Game overrides");
    private static readonly (EmulatorStarter Of, string Instead) InSettings = (EmulatorStarter.Run | EmulatorStarter.Operation, "set it in its menu Tools > Settings");

    /// <summary>All of them, in the order in which they are shown.</summary>
    public static IReadOnlyList<EmulatorOption> All { get; } =
    [
        new EmulatorOption<string?>("patch", static options => options.Patch, static (options, patch) => options with { Patch = patch })
        {
            Starters = EmulatorStarter.Run | EmulatorStarter.Operation | EmulatorStarter.TestFile,
            Help = "Apply this patch (IPS, UPS, BPS) to the ROM in memory",
            Sentence = "A patch to apply to the ROM in memory (IPS, UPS or BPS): a path as of `rom`.",
            File = new("an IPS, UPS or BPS patch", SupervisionFailure.PatchMissing),
            NotInWindow = (EmulatorStarter.Run | EmulatorStarter.Operation, "apply it to a copy of the ROM"),
            Headless = static patch => ["--patch", patch!],
        },
        new EmulatorOption<string?>("cheats", static options => options.Cheats, static (options, cheats) => options with { Cheats = cheats })
        {
            Starters = EmulatorStarter.Run | EmulatorStarter.Operation | EmulatorStarter.TestFile,
            Help = "Add the cheats of this file: libretro's, EZ-Flash's or BGB's (.cht), mGBA's (.cheats)",
            Sentence = "A file of cheats (.cht or .cheats, as of `--cheats`): a path as of `rom`.",
            File = new("a file of cheats (.cht or .cheats)", SupervisionFailure.CheatsMissing),
            NotInWindow = (EmulatorStarter.Run | EmulatorStarter.Operation, "add them in its menu Tools > Cheats"),
            Headless = static cheats => ["--cheats", cheats!],
        },
        new EmulatorOption<string?>("state", static options => options.State, static (options, state) => options with { State = state })
        {
            Starters = EmulatorStarter.Run | EmulatorStarter.Operation | EmulatorStarter.TestFile,
            Help = "Start from this save state",
            Sentence = "The name of the state to continue from; without one the game starts as after switching it on, with its save file.",
            File = new("a save state", Missing: null),
            NotInWindow = (EmulatorStarter.Run, "load the state in the window"),
            Window = static state => ["--savestate", state!], // without a window a control command loads it
        },
        new EmulatorOption<double?>("fps", static options => options.Fps, static (options, fps) => options with { Fps = fps })
        {
            Starters = EmulatorStarter.Run | EmulatorStarter.Operation | EmulatorStarter.Fleet,
            Help = "Frames a second, 0 for as fast as possible; default: the console's own rate",
            Sentence = "Frames a second; 0 runs as fast as possible. The console's own rate unless given.",
            Max = EmulatorOptions.MaxFps,
            NotInWindow = (EmulatorStarter.Operation, "its user chooses its speed"),
            Headless = static fps => ["--fps", FormattableString.Invariant($"{fps}")],
        },
        new EmulatorOption<bool>("window", static options => options.Window, static (options, window) => options with { Window = window })
        {
            Starters = EmulatorStarter.Run | EmulatorStarter.Operation,
            Help = "Play in a window (mgba-qt) instead of without one (mgba-headless)",
            Sentence = "Whether it runs in a window (mgba-qt) rather than without one (mgba-headless).",
        },
        new EmulatorOption<bool>("paused", static options => options.Paused, static (options, paused) => options with { Paused = paused })
        {
            Starters = EmulatorStarter.Run,
            Help = "Pause the games when they start",
            NotInWindow = (EmulatorStarter.Run, "pause it in the window"),
            Headless = static _ => ["--paused"],
        },
        new EmulatorOption<bool>("watch", static options => options.Watch, static (options, watch) => options with { Watch = watch })
        {
            Starters = EmulatorStarter.Run,
            Help = "Start a game again with its save file when its ROM is built again, with the new ROM and the symbols beside it",
            NotInWindow = (EmulatorStarter.Run, "open the new ROM in the window, which has the file itself open"),
        },
        new EmulatorOption<bool>("fresh", static options => options.Fresh, static (options, fresh) => options with { Fresh = fresh })
        {
            Starters = EmulatorStarter.Run,
            Help = "Start from the save files, also when the last run did not end in order; default: continue from its newest automatic states",
        },
        new EmulatorOption<bool>("noSaves", static options => options.NoSaves, static (options, noSaves) => options with { NoSaves = noSaves })
        {
            Starters = EmulatorStarter.Run,
            Help = "Start without save files, and keep what the games save only until they end",
        },
        new EmulatorOption<bool>("noAuto", static options => options.NoAuto, static (options, noAuto) => options with { NoAuto = noAuto })
        {
            Starters = EmulatorStarter.Run,
            Help = "Leave out patches (.bps, .ups, .ips) and cheats (.cheats) beside the ROMs; default: apply them, as mGBA's window does",
            NotInWindow = (EmulatorStarter.Run, "move these files to another folder"),
        },
        new EmulatorOption<IReadOnlyList<string>?>("config", static options => options.Config, static (options, config) => options with { Config = config })
        {
            Starters = EmulatorStarter.TestFile,
            Headless = static config => [.. config!.Select(static setting => $"--config={setting}")],
        },
        new EmulatorOption<string?>("saveType", static options => options.SaveType, static (options, saveType) => options with { SaveType = saveType })
        {
            Starters = EveryStarter,
            Help = "What the GBA cartridge saves to; default: what mGBA knows of the game",
            Sentence = "What the GBA cartridge saves to, for a game that mGBA does not know. What mGBA finds unless given.",
            Choices = ["none", "sram", "sram512", "eeprom", "eeprom512", "flash512", "flash1m"],
            NotInWindow = InOverrides,
            Headless = static type => ["--save-type", type!],
        },
        new EmulatorOption<string?>("hardware", static options => options.Hardware, static (options, hardware) => options with { Hardware = hardware })
        {
            Starters = EveryStarter,
            Help = "What the GBA cartridge has besides, joined by commas: rtc, rumble, light, gyro, tilt, e-reader, gb-player, or none",
            Sentence = "What the GBA cartridge has besides, joined by commas: `rtc`, `rumble`, `light`, `gyro`, `tilt`, `e-reader`, `gb-player`, or `none`. What mGBA finds unless given.",
            Format = OptionFormat.Hardware,
            NotInWindow = InOverrides,
            Headless = static hardware => ["--hardware", hardware!],
        },
        new EmulatorOption<string?>("idleLoop", static options => options.IdleLoop, static (options, idleLoop) => options with { IdleLoop = idleLoop })
        {
            Starters = EveryStarter,
            Help = "The address of the loop in which the GBA game waits, such as 0x08000D3C, or none; a wrong one freezes the game",
            Sentence = "The address of the loop in which the GBA game waits, such as `0x08000D3C`, or `none`. A wrong one freezes the game. What mGBA finds unless given.",
            Format = OptionFormat.IdleLoop,
            NotInWindow = InOverrides,
            Headless = static address => ["--idle-loop", address!],
        },
        new EmulatorOption<string?>("model", static options => options.Model, static (options, model) => options with { Model = model })
        {
            Starters = EveryStarter,
            Help = "The console; default: what mGBA chooses for the ROM",
            Sentence = "The console; a GBA game runs on AGB only. What mGBA chooses for the ROM unless given.",
            Choices = ["DMG", "MGB", "SGB", "SGB2", "CGB", "SCGB", "AGB"],
            NotInWindow = InOverrides,
            Headless = static model => ["--model", model!],
        },
        new EmulatorOption<string?>("mbc", static options => options.Mbc, static (options, mbc) => options with { Mbc = mbc })
        {
            Starters = EveryStarter,
            Help = "The controller of the GB cartridge; default: that of its header",
            Sentence = "The controller of the GB cartridge. That of its header unless given.",
            Choices = ["none", "mbc1", "mbc2", "mbc3", "mbc3-rtc", "mbc5", "mbc5-rumble", "mbc6", "mbc7", "mmm01", "huc-1", "huc-3", "pocket-cam", "tama5"],
            NotInWindow = InOverrides,
            Headless = static mbc => ["--mbc", mbc!],
        },
        new EmulatorOption<string?>("palette", static options => options.Palette, static (options, palette) => options with { Palette = palette })
        {
            Starters = EveryStarter,
            Help = "The colours of GB games: 4 or 12 of RRGGBB joined by commas, or the name of a set of mGBA",
            Sentence = "The colours of GB games: 12 of RRGGBB joined by commas (4 of the background, of the first and of the second objects), 4 for all three, or the name of a set of mGBA.",
            Format = OptionFormat.Palette,
            NotInWindow = InSettings,
            Headless = static palette => ["--palette", palette!],
        },
        new EmulatorOption<string?>("bios", static options => options.Bios, static (options, bios) => options with { Bios = bios })
        {
            Starters = EveryStarter,
            Help = "The BIOS of the console; default: mGBA's own",
            Sentence = "The BIOS of the console: a path as of `rom`. mGBA's own unless given.",
            File = new("the BIOS of the console", SupervisionFailure.BiosMissing, IsOfOneRom: false),
            NotInWindow = InSettings,
            Headless = static bios => ["--bios", bios!],
        },
        new EmulatorOption<bool>("skipBios", static options => options.SkipBios, static (options, skipBios) => options with { SkipBios = skipBios })
        {
            Starters = EveryStarter,
            Help = "Start games without what the BIOS shows first",
            Sentence = "Whether the game starts without what the BIOS shows first.",
            NotInWindow = InSettings,
            Headless = static _ => ["--skip-bios"],
        },
        new EmulatorOption<string?>("clock", static options => options.Clock, static (options, clock) => options with { Clock = clock })
        {
            Starters = EveryStarter,
            Help = "What games with a clock read: host, host+SECONDS, host-SECONDS, fixed:TIME or emulated:TIME, as in emulated:2026-01-01T12:00; default: host",
            Sentence = "What the game's clock reads: `host` (the time of the emulator's machine), `host+SECONDS`, `host-SECONDS`, `fixed:TIME`, or `emulated:TIME`, which advances with the frames. "
                + "TIME is `2026-01-01T12:00`, perhaps with seconds, from 2000 to 2099. `host` unless given.",
            Format = OptionFormat.Clock,
            NotInWindow = (EmulatorStarter.Run | EmulatorStarter.Operation, "use the time of the machine"),
            Headless = static clock => ["--clock", clock!],
        },
        new EmulatorOption<int?>("gdb", static options => options.Gdb, static (options, gdb) => options with { Gdb = gdb })
        {
            Starters = EmulatorStarter.Run,
            Help = "Let GDB or lldb on this machine debug GBA games: the first at this port, such as 2345, the others at the next ones",
            Min = 1,
            Max = ushort.MaxValue,
            NotInWindow = (EmulatorStarter.Run, "start its debugger in its menu Tools > Start GDB server"),
            Headless = static port => ["--gdb", FormattableString.Invariant($"{port}")],
        },
        new EmulatorOption<int?>("history", static options => options.History, static (options, history) => options with { History = history })
        {
            Starters = EmulatorStarter.Run,
            Help = "Keep what games do in so many megabytes, such as 256, to go back in it",
            Min = 1,
            Max = EmulatorOptions.MaxHistory,
            NotInWindow = (EmulatorStarter.Run, "leave it out: a window has no debugger for scripts"),
            Headless = static megabytes => ["--history", FormattableString.Invariant($"{megabytes}")],
        },
    ];

    /// <summary>Its name in operations.</summary>
    public string Name => name;

    /// <summary>Its name among the settings below <c>Bridge:Owned</c>: that of its property.</summary>
    public string Setting { get; } = $"{char.ToUpperInvariant(name[0])}{name[1..]}";

    /// <summary>Its name in test files.</summary>
    public string FieldName { get; } = string.Concat(name.Select(static letter => char.IsUpper(letter) ? $"-{char.ToLowerInvariant(letter)}" : $"{letter}"));

    /// <summary>Its name as an option of <c>mgba-bridge run</c>.</summary>
    public string RunName => $"--{FieldName}";

    /// <summary>What may be started with it.</summary>
    public required EmulatorStarter Starters { get; init; }

    /// <summary>What the help of <c>mgba-bridge run</c> says of it.</summary>
    public string Help { get; init; } = "";

    /// <summary>What the documentation of operations says of it, as a sentence.</summary>
    public string Sentence { get; init; } = "";

    /// <summary>The file that it names; null when it names none.</summary>
    public OptionFile? File { get; init; }

    /// <summary>The texts that it may be, in any case; empty where there are others.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>The texts that it may be; null for any, and with <see cref="Choices"/>.</summary>
    public OptionFormat? Format { get; init; }

    /// <summary>The smallest number that it may be.</summary>
    public double Min { get; init; }

    /// <summary>The greatest number that it may be.</summary>
    public double Max { get; init; }

    /// <summary>Whose windows cannot have it, and what their user does instead.</summary>
    public (EmulatorStarter Of, string Instead)? NotInWindow { get; init; }

    /// <summary>Those that this may be started with.</summary>
    public static IEnumerable<EmulatorOption> Of(EmulatorStarter starter) => All.Where(option => option.Starters.HasFlag(starter));

    /// <summary>Whether it is given.</summary>
    public abstract bool IsGiven(EmulatorOptions options);

    /// <summary>Its value as a text; null when it is not given.</summary>
    public abstract string? TextOf(EmulatorOptions options);

    /// <summary>What is wrong with its value, to follow a name of the option, as in <c>is "x"; expected none.</c>; null for nothing.</summary>
    public abstract string? Error(EmulatorOptions options);

    /// <summary>The arguments of the emulator; none when it is not given.</summary>
    public abstract IEnumerable<string> ArgumentsOf(EmulatorOptions options);

    /// <summary>What a text has to be; null when it may be this one.</summary>
    private protected string? Expected(string text) =>
        Choices.Count > 0 ? Choices.Contains(text, StringComparer.OrdinalIgnoreCase) ? null : $"one of {string.Join(", ", Choices)}"
        : Format?.IsValid(text) ?? true ? null : Format!.Expected;
}

/// <summary>The declaration of an option with values of a type.</summary>
internal sealed class EmulatorOption<T>(string name, Func<EmulatorOptions, T> of, Func<EmulatorOptions, T, EmulatorOptions> with) : EmulatorOption(name)
{
    /// <summary>The arguments of mgba-headless.</summary>
    public Func<T, IEnumerable<string>> Headless { get; init; } = static _ => [];

    /// <summary>The arguments of mgba-qt.</summary>
    public Func<T, IEnumerable<string>> Window { get; init; } = static _ => [];

    /// <summary>Its value.</summary>
    public T Of(EmulatorOptions options) => of(options);

    /// <summary>Options with another value of it.</summary>
    public EmulatorOptions With(EmulatorOptions options, T value) => with(options, value);

    public override bool IsGiven(EmulatorOptions options) => !EqualityComparer<T>.Default.Equals(of(options), default);

    public override string? Error(EmulatorOptions options) => of(options) switch
    {
        string text when Expected(text) is { } expected => $"is \"{text}\"; expected {expected}.",
        double number when !(number >= Min && number <= Max) => FormattableString.Invariant($"is {number}; expected a number from {Min} to {Max}."),
        int number when number < Min || number > Max => FormattableString.Invariant($"is {number}; expected a number from {Min} to {Max}."),
        _ => null,
    };

    public override string? TextOf(EmulatorOptions options) => IsGiven(options) ? FormattableString.Invariant($"{of(options)}") : null;

    public override IEnumerable<string> ArgumentsOf(EmulatorOptions options) => !IsGiven(options) ? [] : options.Window ? Window(of(options)) : Headless(of(options));
}
