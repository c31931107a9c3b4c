using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>The real core with the shipped script, on a port of its own choice.</summary>
internal sealed partial class HeadlessEmulator : IAsyncDisposable
{
    private const string GameRuns = "gateway/tests/MgbaBridge.Gateway.Tests/Support/game-runs.lua";

    private readonly Process _process;
    private readonly string _saves;

    private readonly ConcurrentQueue<string> _console;

    private HeadlessEmulator(Process process, string saves, string nonce, int port, ConcurrentQueue<string> console) =>
        (_process, _saves, Nonce, Port, _console) = (process, saves, nonce, port, console);

    public string Nonce { get; }

    public int Port { get; }

    /// <summary>The one folder whose files the script may touch. It has a copy of the ROM.</summary>
    public string Folder => _saves;

    /// <summary>What the script and its clients wrote to the console.</summary>
    public IReadOnlyCollection<string> Console => _console;

    /// <summary>Starts it and waits until the script listens and the game runs.</summary>
    public static async Task<HeadlessEmulator> StartAsync(int? port = null, int? framesPerSecond = null, string? nonce = null, string script = "lua/mgba-bridge.lua", string? secret = null, bool controlled = false, string game = "mgba-bridge-test.gba")
    {
        var binary = InRepository("lua/headless/build/mgba-headless");
        Assert.True(File.Exists(binary), $"The windowless emulator is missing: run make emulator, which builds {binary}.");
        var saves = Directory.CreateTempSubdirectory("mgba-bridge-test-").FullName;
        var rom = Path.Combine(saves, game);
        File.Copy(InRepository($"lua/headless/rom/{game}"), rom);
        nonce ??= RandomNumberGenerator.GetHexString(16, lowercase: true);
        var start = new ProcessStartInfo(binary) { RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = controlled };
        string[] pace = framesPerSecond is { } frames ? ["--fps", frames.ToString(CultureInfo.InvariantCulture)] : [];
        string[] control = controlled ? ["--control", "-"] : [];
        foreach (var argument in (string[])[.. pace, .. control, "--script", InRepository(script), "--script", InRepository(GameRuns), "--saves", saves, rom])
        {
            start.ArgumentList.Add(argument);
        }

        start.Environment["MGBA_BRIDGE_NONCE"] = nonce;
        start.Environment["MGBA_BRIDGE_FOLDERS"] = saves;
        start.Environment["MGBA_BRIDGE_SECRET"] = secret ?? "";
        start.Environment.Remove("MGBA_BRIDGE_PORT");
        if (port is { } wanted)
        {
            start.Environment["MGBA_BRIDGE_PORT"] = wanted.ToString(CultureInfo.InvariantCulture);
        }

        var process = Process.Start(start)!;
        var console = new ConcurrentQueue<string>();
        _ = KeepReadingAsync(process.StandardError, console);
        try
        {
            return new HeadlessEmulator(process, saves, nonce, await PortOfAsync(process, console), console);
        }
        catch
        {
            process.Kill();
            throw;
        }
    }

    /// <summary>Gives it a control command, and waits until it is done. It must have been started with a control input.</summary>
    public async Task ControlAsync(string command)
    {
        await _process.StandardInput.WriteLineAsync(command);
        await _process.StandardInput.FlushAsync(TestContext.Current.CancellationToken);
        await Eventually.Is(() => _console.Contains($"control: ok {command.Split(' ')[0]}"));
    }

    /// <summary>Stops it as a debugger does: the port accepts and no frame runs.</summary>
    public void Stop() => Signal("-STOP");

    /// <summary>Resumes it.</summary>
    public void Continue() => Signal("-CONT");

    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    public ValueTask DisposeAsync()
    {
        Kill();
        _process.Dispose();
        Directory.Delete(_saves, recursive: true);
        return ValueTask.CompletedTask;
    }

    private void Signal(string signal)
    {
        using var kill = Process.Start("kill", [signal, _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>The port, once the script listens and the game has cleared its memory and reads its keys.</summary>
    private static async Task<int> PortOfAsync(Process process, ConcurrentQueue<string> console)
    {
        int? port = null;
        var isRunning = false;
        while (await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken) is { } line)
        {
            isRunning |= line.Contains("The test game runs.", StringComparison.Ordinal);
            if (Listening().Match(line) is { Success: true } match)
            {
                port = int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture);
            }

            if (port is { } found && isRunning)
            {
                _ = KeepReadingAsync(process.StandardOutput, console);
                return found;
            }
        }

        throw new InvalidOperationException("The windowless emulator ended before its script listened and its game ran.");
    }

    private static async Task KeepReadingAsync(StreamReader output, ConcurrentQueue<string> console)
    {
        while (await output.ReadLineAsync(CancellationToken.None) is { } line)
        {
            console.Enqueue(line);
        }
    }

    [GeneratedRegex(@"listening on 127\.0\.0\.1:(\d+)")]
    private static partial Regex Listening();

    private static string InRepository(string path, [CallerFilePath] string here = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(here)!, "../../../..", path));
}
