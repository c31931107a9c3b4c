using System.ComponentModel.DataAnnotations;
using MgbaBridge.Client.Validation;
using MgbaBridge.Engines.Bundled;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Emulators that the gateway starts itself, those of <see cref="Roms"/> with its options, and the states that it keeps.</summary>
public sealed record OwnedEmulatorOptions : EmulatorOptions, IValidatableObject
{
    /// <summary>Owned emulators that may run at once.</summary>
    [Range(0, 256)]
    public int MaxEmulators { get; set; } = 16;

    /// <summary>ROMs to start with the gateway, one emulator each: files, or <see cref="BundledGames"/>.</summary>
    public string[] Roms { get; set; } = [];

    /// <summary>Folders whose ROMs callers may start. The folders of <see cref="Roms"/> count as well.</summary>
    public string[] RomFolders { get; set; } = [];

    /// <summary>Whether owners may name files in the folders of <see cref="Roms"/>, if nobody else can write there: it is <c>mgba-bridge run</c>, whose user named them.</summary>
    internal bool AllowRomFolder { get; set; }

    /// <summary>Bytes of all uploaded ROMs together.</summary>
    [ByteRange(1_048_576, 1_099_511_627_776)]
    public long MaxRomBytes { get; set; } = 4_294_967_296;

    /// <summary>The port of the script in the first emulator of <see cref="Roms"/>; the others take the next ports. Default: free ports.</summary>
    [Range(1, 65_535)]
    public int? ScriptPort { get; set; }

    /// <summary>The program that runs games without a window. Default: found beside this program, in PATH or in a checkout.</summary>
    public string? HeadlessProgram { get; set; }

    /// <summary>The program that runs games in a window. Default: mgba-qt, found in PATH.</summary>
    public string? WindowProgram { get; set; }

    /// <summary>Where states, save files and logs are kept. Default: the state folder of the user.</summary>
    public string? DataFolder { get; set; }

    /// <summary>How often an automatic state is taken of a running owned emulator.</summary>
    [TimeRange("00:00:01", "1.00:00:00")]
    public TimeSpan StateEvery { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Automatic states kept of each run of an emulator. Beyond, the oldest is deleted; 0 takes none.</summary>
    [Range(0, 100)]
    public int KeptStates { get; set; } = 5;

    /// <summary>States of each kind (named, before save, automatic) kept of all emulators together.</summary>
    [Range(1, 100_000)]
    public int MaxStates { get; set; } = 1_000;

    /// <summary>Bytes of all states of each kind together.</summary>
    [ByteRange(1_048_576, 1_099_511_627_776)]
    public long MaxStateBytes { get; set; } = 1_073_741_824;

    /// <summary>How long an emulator may take to start.</summary>
    [TimeRange("00:00:01", "00:10:00")]
    public TimeSpan StartTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long an emulator that runs may take for a control command.</summary>
    internal TimeSpan CommandTimeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>How long an emulator may be without a request. Beyond, its game is saved and it is stopped; 0 means forever.</summary>
    [TimeRange("00:00:00", "30.00:00:00")]
    public TimeSpan IdleStop { get; set; }

    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (Roms.Length > MaxEmulators)
        {
            yield return new($"has {Roms.Length} ROMs; Bridge:Owned:MaxEmulators allows {MaxEmulators}.", [nameof(Roms)]);
        }

        foreach (var option in EmulatorOption.Of(EmulatorStarter.Run).OfType<EmulatorOption<string?>>())
        {
            if (option.Error(this) is { } error)
            {
                yield return new(error, [option.Setting]);
            }
        }

        foreach (var (option, instead) in NotInWindow(EmulatorStarter.Run))
        {
            yield return new(NoWindow(instead), [option.Setting]);
        }

        foreach (var option in EmulatorOption.All.Where(option => option.File is { IsOfOneRom: true } && option.IsGiven(this) && Roms.Length != 1 && !Window))
        {
            yield return new($"is for one ROM, and there are {Roms.Length}.", [option.Setting]);
        }

        foreach (var (port, setting) in new[] { (ScriptPort, nameof(ScriptPort)), (Gdb, nameof(Gdb)) })
        {
            if (port <= ushort.MaxValue && port + Roms.Length - 1 > ushort.MaxValue)
            {
                yield return new($"is {port}; the ports of {Roms.Length} emulators from there on end above {ushort.MaxValue}.", [setting]);
            }
        }
    }
}
