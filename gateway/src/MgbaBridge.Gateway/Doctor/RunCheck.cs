using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Supervision;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Doctor;

/// <summary>Checks what <c>mgba-bridge run</c> uses: the data folder, mgba-headless, and the ROMs, by opening each for one frame.</summary>
/// <param name="options">The settings of owned emulators.</param>
/// <param name="roms">The ROMs.</param>
internal sealed class RunCheck(OwnedEmulatorOptions options, IReadOnlyList<string> roms)
{
    private const string Data = "data";
    private const string Headless = "mgba-headless";
    private const string Rom = "rom";

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(10);

    /// <summary>Performs the checks.</summary>
    public async Task<IReadOnlyList<Finding>> RunAsync(CancellationToken cancellationToken)
    {
        using var data = new DataFolder(options.DataFolder, NullLogger<DataFolder>.Instance);
        var findings = new List<Finding> { DataOf(data) };
        var programs = new Programs(options, data);
        if (programs.Headless is not { } program)
        {
            return [.. findings, Finding.Problem(Headless, programs.Missing(window: false), ScriptSearch.Load).By(ScriptSearch.WriteScript)];
        }

        var (code, version) = await RunAsync(program, ["--version"], cancellationToken);
        if (code != 0)
        {
            var broken = Finding.Problem(Headless, $"{program} does not start: {version}.", code == Programs.LibraryMissing ? $"{Programs.InstallLibrary}; this names what it lacks" : "Install mgba-headless again.");
            return [.. findings, code == Programs.LibraryMissing ? broken.By($"ldd {program}") : broken];
        }

        findings.Add(Finding.Ok(Headless, $"{program} is {version}."));
        foreach (var rom in roms.Where(static rom => !BundledGames.Has(rom)))
        {
            findings.Add(await RomAsync(program, rom, cancellationToken));
        }

        return findings;
    }

    private static Finding DataOf(DataFolder data)
    {
        try
        {
            return Finding.Ok(Data, $"states, logs and save files are kept in {data.Path}.");
        }
        catch (IOException exception)
        {
            return Finding.Problem(Data, exception.Message, "Let this user write there, or name another folder: --Bridge:Owned:DataFolder=FOLDER.");
        }
    }

    private static async Task<Finding> RomAsync(string program, string rom, CancellationToken cancellationToken)
    {
        const string Another = "Name a GBA, GB or GBC ROM that this user can read.";
        if (RomFolders.Problem(rom) is { } problem)
        {
            return Finding.Problem(Rom, problem, Another);
        }

        var saves = Directory.CreateTempSubdirectory("mgba-bridge-doctor-");
        try
        {
            var (code, said) = await RunAsync(program, ["--frames", "1", "--fps", "0", "--stats", "0", "--saves", saves.FullName, "--", Path.GetFullPath(rom)], cancellationToken);
            return code == 0 ? Finding.Ok(Rom, $"{rom} runs.") : Finding.Problem(Rom, $"{rom} does not run: {said}.", Another);
        }
        finally
        {
            saves.Delete(recursive: true);
        }
    }

    // the exit code and the last line that it printed
    private static async Task<(int Code, string Line)> RunAsync(string program, string[] arguments, CancellationToken cancellationToken)
    {
        var (code, output) = await EmulatorProcess.RunAsync(program, arguments, Timeout, cancellationToken);
        return (code, output.TrimEnd().Split('\n')[^1].TrimEnd('.'));
    }
}
