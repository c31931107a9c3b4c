using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace MgbaBridge.Engines.Supervision;

/// <summary>How to start an emulator.</summary>
/// <param name="Program">The program.</param>
/// <param name="Rom">The ROM.</param>
/// <param name="Options">What it is started with.</param>
internal sealed record EmulatorLaunch(string Program, string Rom, EmulatorOptions Options)
{
    /// <summary>The scripts that it loads.</summary>
    public IReadOnlyList<string> Scripts { get; init; } = [];

    /// <summary>The folder for save files; null for that of the ROM.</summary>
    public string? Saves { get; init; }

    /// <summary>How often mgba-headless prints a stats line; zero for never.</summary>
    public TimeSpan StatsEvery { get; init; }

    /// <summary>Whether mgba-headless prints the log of the emulated machine.</summary>
    public bool IsVerbose { get; init; }

    /// <summary>Whether mgba-headless draws each frame.</summary>
    public bool DrawsAll { get; init; }

    /// <summary>The folder to which mgba-headless writes pictures and sound; null when it writes none.</summary>
    public string? Render { get; init; }

    /// <summary>The file to which mgba-headless writes how often each instruction was executed; null when it counts nothing.</summary>
    public string? Coverage { get; init; }

    /// <summary>Variables for the script.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>Bytes of address space; 0 for no limit.</summary>
    public long MemoryLimit { get; init; }

    /// <summary>The arguments. A window takes no control commands.</summary>
    public IReadOnlyList<string> Arguments => Options.Window
        ? [.. Scripts.SelectMany(static script => With("--script", script)), .. Options.Arguments, .. Saves is null ? Array.Empty<string>() : ["-C", $"savegamePath={Saves}"], Rom]
        :
        [
            .. Scripts.SelectMany(static script => With("--script", script)), "--control", "-", "--stats", StatsEvery.TotalSeconds.ToString(CultureInfo.InvariantCulture), .. IsVerbose ? ["--verbose"] : Array.Empty<string>(),
            .. DrawsAll ? ["--draw-all"] : Array.Empty<string>(), .. With("--render", Render), .. With("--coverage", Coverage), .. Options.Arguments, .. With("--saves", Saves), "--", Rom,
        ];

    private static string[] With(string option, string? value) => value is null ? [] : [option, value];
}

/// <summary>
/// One run of an emulator: all of them are started here. Its standard input is a pipe that only this process can write to: when the gateway ends, in whatever way, the pipe
/// closes and the emulator saves its game and ends.
/// </summary>
internal sealed partial class EmulatorProcess : IAsyncDisposable
{
    private const int ContinueSignal = 18; // SIGCONT of Linux
    private const string PidPrefix = "mgba-bridge: process ";
    private const string AnswerPrefix = "control: ";
    private const string StatsPrefix = "mgba-headless: stats ";

    // Ctrl-C in a terminal, and what systemd or Slurm send to all processes, is for the gateway, which ends its emulators in order. $0 is the limit
    // in KiB, or "unlimited"; a window's shell passes the end of its input on to the window
    private const string HeadlessShell = "trap '' PIPE INT TERM; ulimit -v \"$0\"; exec \"$@\"";
    private const string WindowShell = "trap '' PIPE INT; exec 3<&0; \"$@\" < /dev/null & p=$!; echo \"" + PidPrefix + "$p\"; "
        + "(cat <&3 > /dev/null 2>&1; kill \"$p\" 2> /dev/null) & w=$!; wait \"$p\"; code=$?; kill \"$w\" 2> /dev/null; exit \"$code\"";

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);
    private static readonly TimeSpan OutputTimeout = TimeSpan.FromSeconds(5);

    private readonly Process _process;
    private readonly Action<string> _print;
    private readonly Task _output;
    private readonly SemaphoreSlim _commanding = new(1, 1);
    private readonly Queue<(string Name, TaskCompletionSource<string?> Answer)> _asked = new();
    private int _windowId;

    private EmulatorProcess(Process process, Action<string> print, int longestLine)
    {
        (_process, _print) = (process, print);
        _output = Task.WhenAll(
            LineReader.ReadAsync(process.StandardOutput, longestLine, Take),
            LineReader.ReadAsync(process.StandardError, longestLine, Take));
        Exited = ExitedAsync();
    }

    /// <summary>The id of the emulator's process.</summary>
    public int Id => _windowId != 0 ? _windowId : _process.Id;

    /// <summary>Ends with the exit code, when all that the emulator printed has been read.</summary>
    public Task<int> Exited { get; }

    /// <summary>Frames a second in the last stats line; null before the first.</summary>
    public double? Fps { get; private set; }

    /// <summary>The last line on standard error that is not a stats line; null if there is none.</summary>
    public string? LastError { get; private set; }

    /// <summary>The processor time and state of the process.</summary>
    public ProcessVitals Vitals => ProcessVitals.Of(_process);

    /// <summary>Starts an emulator.</summary>
    /// <param name="launch">How.</param>
    /// <param name="print">Takes the lines that it prints, but no stats lines.</param>
    /// <param name="longestLine">The most characters of a line; what follows is left out.</param>
    /// <exception cref="System.ComponentModel.Win32Exception">The program cannot be started.</exception>
    public static EmulatorProcess Start(EmulatorLaunch launch, Action<string> print, int longestLine = OutputLog.MaxLine)
    {
        var start = OperatingSystem.IsWindows()
            ? StartOf(launch.Program, launch.Arguments)
            : StartOf("/bin/sh", ["-c", launch.Options.Window ? WindowShell : HeadlessShell, Limit(launch), launch.Program, .. launch.Arguments]);
        foreach (var (name, value) in launch.Environment)
        {
            start.Environment[name] = value;
        }

        return new EmulatorProcess(Process.Start(start)!, print, longestLine);
    }

    /// <summary>Starts an emulator that takes no control commands and ends by itself, whose output the caller reads.</summary>
    /// <exception cref="System.ComponentModel.Win32Exception">The program cannot be started.</exception>
    public static Process Start(string program, IReadOnlyList<string> arguments) => Process.Start(StartOf(program, arguments))!;

    /// <summary>Runs such an emulator, at most for a time. Returns its exit code, or -1, and what it printed, or why it did not end.</summary>
    public static async Task<(int Code, string Output)> RunAsync(string program, IReadOnlyList<string> arguments, TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout);
        Process? process = null;
        try
        {
            process = Start(program, arguments);
            var texts = await Task.WhenAll(ProgramOutput.OfAsync(process.StandardOutput.ReadToEndAsync(limit.Token)), ProgramOutput.OfAsync(process.StandardError.ReadToEndAsync(limit.Token)));
            await process.WaitForExitAsync(limit.Token);
            return (process.ExitCode, string.Concat(texts));
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            return (-1, exception.Message);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return (-1, $"it did not end within {timeout.TotalSeconds} s");
        }
        finally
        {
            if (process is { HasExited: false })
            {
                process.Kill();
            }

            process?.Dispose();
        }
    }

    /// <summary>Sends a control command and waits for its answer; a cancellation counts as reaching the time limit.</summary>
    public async Task<CommandAnswer> CommandAsync(string name, string argument, TimeSpan timeout, CancellationToken cancellationToken)
    {
        await _commanding.WaitAsync(CancellationToken.None);
        try
        {
            var answer = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_asked)
            {
                _asked.Enqueue((name, answer));
            }

            await _process.StandardInput.WriteAsync(argument.Length == 0 ? $"{name}\n" : $"{name} {argument}\n");
            await _process.StandardInput.FlushAsync(CancellationToken.None);
            return await Task.WhenAny(answer.Task, Exited).WaitAsync(timeout, cancellationToken) == answer.Task
                ? await answer.Task is { } problem ? new CommandAnswer(CommandOutcome.Refused, problem) : default
                : CommandAnswer.Ended;
        }
        catch (Exception exception) when (exception is TimeoutException or OperationCanceledException)
        {
            return new CommandAnswer(CommandOutcome.NoAnswer, "the emulator does not answer");
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException)
        {
            return CommandAnswer.Ended;
        }
        finally
        {
            _commanding.Release();
        }
    }

    /// <summary>Ends the emulator, which saves its game first; kills it after the timeout. Returns the exit code.</summary>
    public async Task<int> StopAsync(TimeSpan timeout)
    {
        CloseInput();
        try
        {
            return await Exited.WaitAsync(timeout);
        }
        catch (TimeoutException)
        {
            return await KillAsync();
        }
    }

    /// <summary>Continues the emulator after a signal stopped it.</summary>
    public void Continue()
    {
        if (OperatingSystem.IsLinux())
        {
            _ = SendSignal(_process.Id, ContinueSignal); // one that has ended is noticed otherwise
        }
    }

    /// <summary>Kills the emulator. Nothing is saved.</summary>
    public async Task<int> KillAsync()
    {
        try
        {
            _process.Kill(entireProcessTree: _windowId != 0);
        }
        catch (Exception exception) when (exception is InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            // it has ended
        }

        return await Exited;
    }

    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        CloseInput();

        // disposing a process leaves its pipes open until a garbage collection
        if (_output.IsCompleted)
        {
            _process.StandardOutput.Dispose();
            _process.StandardError.Dispose();
        }

        _process.Dispose();
        _commanding.Dispose();
    }

    private void CloseInput()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // it has ended
        }
    }

    private static ProcessStartInfo StartOf(string program, IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardInputEncoding = Utf8, // Windows would take that of the console
            StandardOutputEncoding = Utf8,
            StandardErrorEncoding = Utf8,
            CreateNoWindow = true, // on Windows, where a console sends Ctrl-C, and its own end, to all programs in it
        };
        ChildEnvironment.LimitToEmulators(start);
        return start;
    }

    private static string Limit(EmulatorLaunch launch) =>
        launch.MemoryLimit == 0 ? "unlimited" : (launch.MemoryLimit / 1_024).ToString(CultureInfo.InvariantCulture);

    private async Task<int> ExitedAsync()
    {
        await _process.WaitForExitAsync();

        // something that the emulator started may hold its output open
        await Task.WhenAny(_output, Task.Delay(OutputTimeout));
        return _process.ExitCode;
    }

    private void Take(string line)
    {
        if (line.StartsWith(StatsPrefix, StringComparison.Ordinal))
        {
            Fps = NumberOf(line, " fps=") ?? Fps;
            return;
        }

        if (line.StartsWith(PidPrefix, StringComparison.Ordinal))
        {
            _ = int.TryParse(line.AsSpan(PidPrefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out _windowId);
        }
        else if (line.StartsWith(AnswerPrefix, StringComparison.Ordinal))
        {
            Answer(line[AnswerPrefix.Length..]);
        }
        else if (line.StartsWith("mgba-headless: ", StringComparison.Ordinal))
        {
            LastError = line["mgba-headless: ".Length..];
        }

        _print(line);
    }

    // answers come in the order of the commands, also of those that nobody waits for any more. A line that was no command is answered as `line`
    private void Answer(string answer)
    {
        var (name, problem) = answer.Split(' ', 2) switch
        {
            ["ok", var done] => (done, null),
            ["error", var failed] when failed.Split(": ", 2) is [var command, var why] => (command, why),
            _ => ("", null),
        };
        lock (_asked)
        {
            name = name == "line" && _asked.TryPeek(out var first) ? first.Name : name;
            if (_asked.Any(asked => asked.Name == name))
            {
                var asked = _asked.Dequeue();
                while (asked.Name != name)
                {
                    asked = _asked.Dequeue();
                }

                asked.Answer.TrySetResult(problem);
            }
        }
    }

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int process, int signal);

    private static double? NumberOf(string line, string name)
    {
        var at = line.IndexOf(name, StringComparison.Ordinal);
        var text = at < 0 ? "" : line[(at + name.Length)..].Split(' ')[0];
        return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : null;
    }
}

/// <summary>What became of a control command.</summary>
internal enum CommandOutcome
{
    /// <summary>It was done.</summary>
    Done,

    /// <summary>The emulator refused it.</summary>
    Refused,

    /// <summary>It was not answered in time: the emulator did not get to it, or hangs.</summary>
    NoAnswer,

    /// <summary>It was not answered, since the process ended.</summary>
    Ended,
}

/// <summary>What became of a control command.</summary>
/// <param name="Outcome">Whether it was done.</param>
/// <param name="Problem">Why not, or null.</param>
internal readonly record struct CommandAnswer(CommandOutcome Outcome, string? Problem)
{
    /// <summary>The process ended.</summary>
    public static CommandAnswer Ended { get; } = new(CommandOutcome.Ended, "the emulator has ended");
}
