using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>The real core with the shipped script, on a port of its own choice.</summary>
internal sealed partial class HeadlessEmulator : IAsyncDisposable
{
    private const string GameRuns = "gateway/tests/MgbaBridge.Gateway.Tests/Support/game-runs.lua";

    private readonly EmulatorProcess _process;
    private readonly string _saves;

    private readonly ConcurrentQueue<string> _console;

    private HeadlessEmulator(EmulatorProcess process, string saves, string nonce, int port, ConcurrentQueue<string> console) =>
        (_process, _saves, Nonce, Port, _console) = (process, saves, nonce, port, console);

    public string Nonce { get; }

    public int Port { get; }

    /// <summary>The one folder whose files the script may touch. It has a copy of the ROM.</summary>
    public string Folder => _saves;

    /// <summary>What the script and its clients wrote to the console.</summary>
    public IReadOnlyCollection<string> Console => _console;

    /// <summary>Starts it and waits until the script listens and the game runs: a test ROM, or one of these bytes.</summary>
    public static async Task<HeadlessEmulator> StartAsync(int? port = null, int? framesPerSecond = null, string? nonce = null, string script = "lua/mgba-bridge.lua", string? secret = null, string game = "mgba-bridge-test.gba", byte[]? bytes = null)
    {
        var binary = InRepository("headless/build/mgba-headless");
        Assert.True(File.Exists(binary), $"The windowless emulator is missing: run make emulator, which builds {binary}.");
        var saves = Directory.CreateTempSubdirectory("mgba-bridge-test-").FullName;
        var rom = Path.Combine(saves, game);
        if (bytes is null)
        {
            File.Copy(InRepository($"headless/roms/{game}"), rom);
        }
        else
        {
            await File.WriteAllBytesAsync(rom, bytes);
        }

        nonce ??= RandomNumberGenerator.GetHexString(16, lowercase: true);
        var environment = new Dictionary<string, string> { ["MGBA_BRIDGE_NONCE"] = nonce, ["MGBA_BRIDGE_FOLDERS"] = saves, ["MGBA_BRIDGE_SECRET"] = secret ?? "" };
        if (port is { } wanted)
        {
            environment["MGBA_BRIDGE_PORT"] = wanted.ToString(CultureInfo.InvariantCulture);
        }

        var launch = new EmulatorLaunch(binary, rom, new EmulatorOptions { Fps = framesPerSecond })
        {
            Scripts = [InRepository(script), InRepository(GameRuns)],
            Saves = saves,
            Environment = environment,
        };
        var console = new ConcurrentQueue<string>();
        var process = EmulatorProcess.Start(launch, console.Enqueue);
        try
        {
            return new HeadlessEmulator(process, saves, nonce, await PortOfAsync(process, console), console);
        }
        catch
        {
            await process.DisposeAsync();
            throw;
        }
    }

    /// <summary>Its process.</summary>
    public EmulatorProcess Process => _process;

    /// <summary>Gives it a control command, and waits until it is done.</summary>
    public async Task ControlAsync(string command, string argument = "") =>
        Assert.Equal(default, await _process.CommandAsync(command, argument, Eventually.TimeLimit, TestContext.Current.CancellationToken));

    /// <summary>Stops it as a debugger does: the port accepts and no frame runs. Waits until all its threads have stopped.</summary>
    public async Task StopAsync()
    {
        Signal("-STOP");
        await Eventually.Is(() => LinuxProcess.HasStopped(_process.Id));
    }

    /// <summary>Resumes it.</summary>
    public void Continue() => Signal("-CONT");

    public Task KillAsync() => _process.KillAsync();

    public async ValueTask DisposeAsync()
    {
        await _process.DisposeAsync();
        Directory.Delete(_saves, recursive: true);
    }

    private void Signal(string signal)
    {
        using var kill = System.Diagnostics.Process.Start("kill", [signal, _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>The port, once the script listens and the game has cleared its memory and reads its keys.</summary>
    private static async Task<int> PortOfAsync(EmulatorProcess process, ConcurrentQueue<string> console)
    {
        int? port = null;
        await Eventually.Is(() =>
        {
            port = console.Select(static line => Listening().Match(line)).Where(static match => match.Success).Select(static match => (int?)int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture)).FirstOrDefault();
            return process.Exited.IsCompleted || (port is not null && console.Any(static line => line.Contains("The test game runs.", StringComparison.Ordinal)));
        });
        return !process.Exited.IsCompleted ? port!.Value : throw new InvalidOperationException("The windowless emulator ended before its script listened and its game ran.");
    }

    [GeneratedRegex(@"listening on 127\.0\.0\.1:(\d+)")]
    private static partial Regex Listening();

    private static string InRepository(string path, [CallerFilePath] string here = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(here)!, "../../../..", path));
}
