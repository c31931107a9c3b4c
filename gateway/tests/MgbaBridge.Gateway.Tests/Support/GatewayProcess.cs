using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>The gateway as a process of its own, for what only processes do: starting, stopping, and being two.</summary>
internal sealed partial class GatewayProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly ConcurrentQueue<string> _said = [];
    private readonly TaskCompletionSource<int> _listens = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private readonly Task _followed;

    private GatewayProcess(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = start.RedirectStandardError = true;
        BePatient(start);
        _process = Process.Start(start)!;
        _followed = Task.WhenAll(FollowAsync(_process.StandardOutput), FollowAsync(_process.StandardError));
    }

    /// <summary>The program: the built one, or that which GATEWAY_PROGRAM names.</summary>
    private static readonly string[] Program = Environment.GetEnvironmentVariable("GATEWAY_PROGRAM") is { Length: > 0 } named ? [named] : ["dotnet", Path.Combine(AppContext.BaseDirectory, "mgba-bridge.dll")];

    /// <summary>What the system calls its processes.</summary>
    public static string Name { get; } = Path.GetFileName(Program[0]);

    /// <summary>The program as the beginning of a shell's command line.</summary>
    public static string ShellCommand { get; } = string.Join(' ', Program.Select(static word => $"'{word}'"));

    /// <summary>What it wrote.</summary>
    public IReadOnlyCollection<string> Said => _said;

    public int Id => _process.Id;

    public bool HasEnded => _process.HasExited;

    public int ExitCode => _process.ExitCode;

    /// <summary>Starts it, perhaps by way of another program that gets the command line as its last arguments.</summary>
    public static GatewayProcess Start(string[] by, params string[] arguments)
    {
        var command = CommandOf(by, arguments);
        return new GatewayProcess(new ProcessStartInfo(command[0], command[1..]));
    }

    /// <summary>The command line that starts the program, perhaps by way of another program.</summary>
    public static string[] CommandOf(string[] by, params string[] arguments) => [.. by, .. Program, .. arguments];

    /// <summary>Gives a program the settings of <see cref="GatewayHost.Patient"/>; its arguments go before them.</summary>
    public static void BePatient(ProcessStartInfo start)
    {
        foreach (var (key, value) in GatewayHost.Patient)
        {
            start.Environment[VariableOf(key)] = value;
        }
    }

    /// <summary>The environment variable of a setting below <c>Bridge</c>.</summary>
    public static string VariableOf(string key) => $"Bridge__{key.Replace(":", "__", StringComparison.Ordinal)}";

    /// <summary>Kills a program and all that it has started, waits until it has ended, and disposes of it.</summary>
    public static async ValueTask EndAsync(Process process)
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
        }

        process.Dispose();
    }

    /// <summary>Starts it and waits until it serves.</summary>
    public static Task<GatewayProcess> ReadyAsync(int emulatorPort, params string[] arguments) => ReadyAsync([], emulatorPort, arguments);

    /// <summary>As above, by way of another program.</summary>
    public static async Task<GatewayProcess> ReadyAsync(string[] by, int emulatorPort, params string[] arguments)
    {
        var gateway = Start(by, [string.Create(CultureInfo.InvariantCulture, $"--emulator-port={emulatorPort}"), .. arguments]);
        await Eventually.Is(() => gateway.Said.Any(line => line.Contains("The gateway serves", StringComparison.Ordinal)));
        await gateway.ListensAsync();
        return gateway;
    }

    /// <summary>Waits until it listens, and says on which port.</summary>
    public Task<int> ListensAsync() => _listens.Task.WaitAsync(Eventually.TimeLimit, TestContext.Current.CancellationToken);

    /// <summary>Asks it to end (SIGTERM), and waits until it has.</summary>
    public Task<int> TerminateAsync()
    {
        Signal("-TERM");
        return EndsAsync();
    }

    /// <summary>Stops it (SIGSTOP), and waits until all its threads have stopped.</summary>
    public async Task StopAsync()
    {
        Signal("-STOP");
        await Eventually.Is(() => LinuxProcess.HasStopped(_process.Id));
    }

    public void Signal(string signal)
    {
        using var kill = Process.Start("kill", [signal, _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>Waits until it ends by itself and all that it wrote is in <see cref="Said"/>.</summary>
    public async Task<int> EndsAsync()
    {
        await _process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(Eventually.TimeLimit, TestContext.Current.CancellationToken);
        await _followed.WaitAsync(Eventually.TimeLimit, TestContext.Current.CancellationToken);
        return _process.ExitCode;
    }

    public ValueTask DisposeAsync() => EndAsync(_process);

    private async Task FollowAsync(StreamReader output)
    {
        while (await output.ReadLineAsync(CancellationToken.None) is { } line)
        {
            _said.Enqueue(line);
            if (Listening().Match(line) is { Success: true } match)
            {
                _listens.TrySetResult(int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture));
            }
        }
    }

    [GeneratedRegex(@"Now listening on: http://\S+:(\d+)")]
    private static partial Regex Listening();
}
