using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Engines.Symbols;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Testing;

/// <summary>An emulator for tests: it runs only the frames of the test, as fast as possible.</summary>
internal sealed class TestEmulator : IAsyncDisposable
{
    private const int FramesAtOnce = 600;
    private const int MaxAttempts = 5;
    private const long GbaRom = 0x0800_0000;
    private const long GbaRomEnd = 0x0E00_0000;
    private const long LeaseMilliseconds = 10_000;

    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan SilenceTimeout = TimeSpan.FromMinutes(1); // on a busy machine, too: what ends the emulator is noticed otherwise
    private static readonly TimeSpan ExitTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(10);
    private static readonly RequestOptions Options = new() { Holder = HolderOf("test"), Timeout = TimeSpan.FromSeconds(60) };

    private readonly EmulatorProcess _process;
    private readonly EmulatorClient _client;
    private readonly GameSymbols _names;
    private readonly DirectoryInfo _folder;
    private readonly TestLog _log;
    private readonly bool _isGameBoy;
    private ReadOnlyMemory<byte> _start;
    private ClockValue _startClock;
    private bool _hasSetSensors;
    private bool _hasSetClock;
    private Epoch _epoch;
    private long _frame;
    private long _marks;
    private Action? _ended; // in order

    private TestEmulator(EmulatorProcess process, EmulatorClient client, GameSymbols names, DirectoryInfo folder, TestLog log, Reply game)
    {
        (_process, _client, _names, _folder, _log) = (process, client, names, folder, log);
        var read = ReadGame.Parse(game);
        (_isGameBoy, Crc32) = (read.Platform == "gb", read.Crc32);
        _epoch = game.Epoch;
    }

    /// <summary>The CRC32 of the ROM.</summary>
    public long Crc32 { get; }

    /// <summary>The console: <c>gba</c> or <c>gb</c>.</summary>
    public string Platform => _isGameBoy ? "gb" : "gba";

    /// <summary>The keys that are held.</summary>
    public KeySet Held { get; set; }

    /// <summary>The frames that have run since the test began.</summary>
    public long Frames { get; private set; }

    /// <summary>Whether what runs can be saved as a state.</summary>
    public bool HasStates { get; private init; }

    /// <summary>Whether the game crashed or stopped its machine: no test can run any more.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>What the game and mGBA have printed since the test began, the newest lines.</summary>
    public IReadOnlyList<string> Log => _log.Lines;

    /// <summary>Starts it with a test file's ROM and state.</summary>
    /// <exception cref="TestEmulatorException">It cannot be started.</exception>
    public static async Task<TestEmulator> StartAsync(Programs programs, TestFile file, CancellationToken cancelled, Coverage? coverage = null)
    {
        var names = TestNames.Of(file);
        var program = programs.Headless ?? throw new TestEmulatorException(programs.Missing(window: false));
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await StartAsync(program, programs.Script, programs.BundledGame(file.Rom) ?? file.Rom, file, names, coverage, cancelled);
            }
            catch (PortInUseException) when (attempt < MaxAttempts)
            {
                // another program has taken it meanwhile
            }
        }
    }

    /// <summary>Makes this moment the one at which each test begins.</summary>
    public async Task KeepStartAsync(CancellationToken cancelled)
    {
        _start = await SaveStateAsync(cancelled);
        _hasSetClock = false; // that of the setup is where each test begins
        using var clock = await RunAsync(new ReadClock(), cancelled);
        _startClock = ReadClock.Parse(clock);
    }

    /// <summary>Begins a test: at the moment that was kept, if one was, with no keys held.</summary>
    public async Task BeginAsync(CancellationToken cancelled)
    {
        if (!_start.IsEmpty)
        {
            using var loaded = await RunAsync(new LoadState(new ReadOnlySequence<byte>(_start), StateFlags.All), cancelled);
            if (_startClock.Mode == ClockValue.Emulated || _hasSetClock)
            {
                using var set = await RunAsync(_startClock.ToCommand(), cancelled); // a state does not change it
                _hasSetClock = false;
            }
        }

        if (_hasSetSensors)
        {
            using var released = await RunAsync(new ReleaseSensors(), cancelled);
            _hasSetSensors = false;
        }

        (Held, Frames) = (default, 0);
        await ReadLogAsync(cancelled);
        _log.Clear();
    }

    /// <summary>Sets sensors of the cartridge until the test ends.</summary>
    public async Task SetAsync<TCommand>(TCommand sensors, CancellationToken cancelled)
        where TCommand : struct, ICommand<TCommand>
    {
        using var set = await RunAsync(sensors, cancelled);
        _hasSetSensors = true;
    }

    /// <summary>Sets the clock of the cartridge until the test ends.</summary>
    public async Task SetAsync(SetClock clock, CancellationToken cancelled)
    {
        using var set = await RunAsync(clock, cancelled);
        _hasSetClock = true;
    }

    /// <summary>Runs frames with the keys that are held.</summary>
    public async Task RunFramesAsync(long count, CancellationToken cancelled)
    {
        while (count > 0)
        {
            var now = Math.Min(count, FramesAtOnce);
            using var stepped = await WhileTheGameRunsAsync(RunAsync(new StepLease(now, Held), cancelled), cancelled);
            Frames += now;
            count -= now;
        }
    }

    /// <summary>Plays a recording; the keys that are held are released. <paramref name="isSame"/> is called with the picture of the game at each line that has one and no hash.</summary>
    /// <exception cref="TestStepException">It cannot be played.</exception>
    public async Task<ReplayOutcome> ReplayAsync(RecordedGame recorded, bool keysOnly, Func<RecordingLine, ReplayPicture, bool>? isSame, CancellationToken cancelled)
    {
        Held = default;
        if (!keysOnly && _startClock.Mode == ClockValue.Emulated)
        {
            using var set = await RunAsync(new SetClock(ClockValue.Host), cancelled); // so that it has that of the recording's state
        }

        var outcome = await WhileTheGameRunsAsync(Replay.RunUnderLeaseAsync(_client, recorded, Options, keysOnly, isSame, cancelled), cancelled);
        (_epoch, Frames) = (outcome.Epoch, Frames + outcome.Frames);
        return outcome.Failure is { } failure ? throw await BrokenAsync(failure, isMistake: true, cancelled) : outcome;
    }

    /// <summary>Where the memory of a replay differs from its recording; null when the recording does not have its memory.</summary>
    public Task<IReadOnlyList<DifferentBytes>?> DifferencesAsync(RecordedGame recorded, ReplayDivergence divergence, CancellationToken cancelled) =>
        DifferentBytes.ListAsync(recorded, divergence, _names, _client, Options, cancelled);

    /// <summary>Resets the game.</summary>
    public async Task ResetAsync(CancellationToken cancelled)
    {
        using var reset = await RunAsync(new ResetGame(), cancelled);
    }

    /// <summary>Returns when all that was printed until now is in the log.</summary>
    public async Task ReadLogAsync(CancellationToken cancelled)
    {
        var marker = string.Create(CultureInfo.InvariantCulture, $"mgba-bridge test: mark {++_marks}");
        var marked = _log.MarkAsync(marker);
        using var written = await RunAsync(new WriteConsole(ConsoleLevel.Error, marker), cancelled); // where the game's log is printed, too
        await marked.WaitAsync(StartTimeout, cancelled);
    }

    /// <summary>The picture, as PNG.</summary>
    public async Task<byte[]> ReadScreenAsync(CancellationToken cancelled)
    {
        using var screen = await RunAsync(new ReadScreen(), cancelled);
        return screen.Tail.ToArray();
    }

    /// <summary>The pixels of the picture: red, green and blue.</summary>
    public async Task<(int Width, int Height, byte[] Pixels)> ReadPixelsAsync(CancellationToken cancelled)
    {
        using var pixels = await RunAsync(new ReadPixels(), cancelled);
        var (width, height) = ReadPixels.Parse(pixels);
        return (width, height, pixels.Tail.ToArray());
    }

    /// <summary>Ends the emulator, and with it what it writes.</summary>
    public Task StopAsync() => _process.KillAsync();

    /// <summary>The state of the machine.</summary>
    public async Task<byte[]> SaveStateAsync(CancellationToken cancelled)
    {
        using var saved = await RunAsync(new SaveState(StateFlags.All), cancelled);
        return saved.Tail.ToArray();
    }

    /// <summary>What the game has saved, with the bytes of the cartridge's clock; null for nothing.</summary>
    public async Task<byte[]?> ReadSaveAsync(CancellationToken cancelled) => StateSaveData.Of(await SaveStateAsync(cancelled), Platform);

    /// <summary>Measures cycles.</summary>
    /// <param name="limit">Between which places.</param>
    /// <param name="runFrames">Runs the frames.</param>
    /// <param name="runOne">Runs another one.</param>
    /// <param name="cancelled">Ends it.</param>
    public async Task<(long Count, long Least, long Most)> MeasureAsync(CycleLimit limit, Func<Task> runFrames, Func<Task> runOne, CancellationToken cancelled)
    {
        if (limit.Find(_names, _isGameBoy, out var places) is { } wrong)
        {
            throw new TestStepException(wrong, isMistake: true);
        }

        await CommandAsync("measure", places, runFrames, cancelled);
        await CommandAsync("measured", "", runOne, cancelled);
        return _log.Measured;
    }

    // the command is read before the next frame
    private async Task CommandAsync(string name, string argument, Func<Task> runFrames, CancellationToken cancelled)
    {
        var answer = _process.CommandAsync(name, argument, StartTimeout, cancelled);
        await runFrames();
        if (await answer is { Problem: { } problem })
        {
            throw new TestEmulatorException(problem);
        }
    }

    /// <summary>Reads the numbers of a condition: their names, and a function that reads them.</summary>
    /// <exception cref="TestStepException">The game has no such place.</exception>
    public Func<CancellationToken, Task<long[]>> Numbers(Condition condition)
    {
        if (NumberPlaces.Find(_names, condition, out var found) is { } wrong)
        {
            throw new TestStepException(wrong, isMistake: true);
        }

        var readers = new ValueReaders(_client, _isGameBoy, found);
        var isFixed = found.All(static place => place.Property.Chain.Count == 0);
        return async cancelled => [.. (await ReadAsync(readers, isFixed, cancelled)).Select(NumberPlaces.NumberOf)];
    }

    /// <summary>Reads a value.</summary>
    /// <exception cref="TestStepException">The game has no such value.</exception>
    public async Task<NamedValue> ReadAsync(string name, CancellationToken cancelled)
    {
        if (TypedPlace.FindToRead(_names, name, out var property, out var location) is { } wrong)
        {
            throw new TestStepException(wrong, isMistake: true);
        }

        return (await ReadAsync(new ValueReaders(_client, _isGameBoy, [(property, location)]), property.Chain.Count == 0, cancelled))[0];
    }

    /// <summary>Writes a value.</summary>
    /// <exception cref="TestStepException">It cannot be written.</exception>
    public async Task WriteAsync(string name, JsonElement value, CancellationToken cancelled)
    {
        var found = await ReadAsync(name, cancelled);
        var bytes = new byte[found.Property.Type.Size];
        if (found.Property.Type.Write(value, bytes) is { } wrong)
        {
            throw new TestStepException(wrong, isMistake: true);
        }

        if (found.Location is null)
        {
            throw new TestStepException($"A pointer on the way to {name} is 0.");
        }

        using var written = await RunAsync(new RunBatch(ValueWriter.Batch(found, _isGameBoy, bytes), null, null), cancelled, isMistake: found.Property.Chain.Count == 0);
        if (!_isGameBoy && found.Location is { Domain: null, Offset: >= GbaRom and < GbaRomEnd } place && !(await ReadAsync(name, cancelled)).Bytes.Span.SequenceEqual(bytes))
        {
            throw new TestStepException(string.Create(CultureInfo.InvariantCulture, $"{name} is in the ROM, which does not change. Write to cart0:0x{place.Offset % (GbaRomEnd - GbaRom) % 0x200_0000:X}."), isMistake: true);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_ended is not null)
        {
            await _process.StopAsync(StopTimeout);
            _ended();
        }

        await EndAsync(_process, _client, _folder);
    }

    private static async Task<TestEmulator> StartAsync(string program, string script, string rom, TestFile file, GameSymbols names, Coverage? coverage, CancellationToken cancelled)
    {
        var save = file.Save is null ? null : SaveOf(file);
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-test-");
        if (save is not null)
        {
            await File.WriteAllBytesAsync(Path.Combine(folder.FullName, $"{Path.GetFileNameWithoutExtension(rom)}.sav"), save, cancelled);
        }

        var port = EmulatorLauncher.FreePort();
        var secret = RandomNumberGenerator.GetHexString(32, lowercase: true);
        var address = new EmulatorAddress { Host = "127.0.0.1", Port = port, Secret = secret };
        var log = new TestLog();
        var launch = new EmulatorLaunch(program, rom, file.Options with { Fps = 0, Paused = true })
        {
            Scripts = [script],
            Saves = folder.FullName,
            IsVerbose = true,
            DrawsAll = file.IsSingle,
            Render = file.Render,
            Coverage = coverage is null ? null : Coverage.FileIn(folder.FullName),
            Environment = EmulatorLauncher.Environment(address),
        };
        var process = EmulatorProcess.Start(launch, log.Add, TestLog.LongestLine);
        EmulatorClient? client = null;
        try
        {
            await WaitUntilListeningAsync(process, port, log, cancelled);
            client = new EmulatorClient(
                "1", address, new TransportSettings(new TransportOptions { SilenceTimeout = SilenceTimeout }), TimeProvider.System, MemoryPool<byte>.Shared, NullLogger.Instance);
            using var game = await RunAsync(client, new ReadGame(), cancelled);
            var emulator = new TestEmulator(process, client, names, folder, log, game) { HasStates = !file.IsSingle };
            if (coverage is not null)
            {
                emulator._ended = () => coverage.Add(file.Rom, file.Symbols, folder.FullName);
            }

            await emulator.HoldAsync(file, cancelled);
            return emulator;
        }
        catch
        {
            await EndAsync(process, client, folder);
            throw;
        }
    }

    private static byte[] SaveOf(TestFile file)
    {
        var (data, problem) = SaveFile.Read(File.ReadAllBytes(file.Save!), null, RomContent.IsGb(file.Rom) ? "gb" : "gba");
        return data ?? throw new TestEmulatorException($"The bytes of {file.Save} {problem}.", isMistake: true);
    }

    private static Holder HolderOf(string name) => Holder.TryCreate(name, out var holder) ? holder! : throw new ArgumentException("It is no holder.", nameof(name));

    private static async Task WaitUntilListeningAsync(EmulatorProcess process, int port, TestLog log, CancellationToken cancelled)
    {
        if (await Task.WhenAny(log.ScriptListens, process.Exited, Task.Delay(StartTimeout, cancelled)) == log.ScriptListens)
        {
            return;
        }

        cancelled.ThrowIfCancellationRequested();
        throw !process.Exited.IsCompleted ? new TestEmulatorException($"The emulator did not start within {StartTimeout.TotalSeconds} s.")
            : !EmulatorLauncher.IsFree(port) ? new PortInUseException()
            : new TestEmulatorException(EndOf(await process.Exited, log), isMistake: Programs.RefusesOptions(await process.Exited));
    }

    // below the exit codes of a shell are those of the emulator, which says why it ends
    private static string EndOf(int code, TestLog log) => code < Programs.LibraryMissing && log.LastLine is { } line
        ? line : $"The emulator has ended: {Programs.ReasonOf(code, window: false, log.LastLine)}.";

    private static async Task EndAsync(EmulatorProcess process, EmulatorClient? client, DirectoryInfo folder)
    {
        if (client is not null)
        {
            await client.DisposeAsync();
        }

        await process.DisposeAsync();
        folder.Delete(recursive: true);
    }

    private static async Task<Reply> RunAsync<TCommand>(EmulatorClient client, TCommand command, CancellationToken cancelled)
        where TCommand : struct, ICommand<TCommand> => (await client.SendAsync(command, Options, cancelled)).EnsureSuccess();

    // the lease holds the game when its first frame begins
    private async Task HoldAsync(TestFile file, CancellationToken cancelled)
    {
        using var taken = await RunAsync(_client, new TakeLease(LeaseMilliseconds), cancelled);
        await _process.CommandAsync("resume", "", StartTimeout, cancelled);
        while (await FrameAsync(cancelled) == 0)
        {
            if (await Task.WhenAny(_log.GameEnded, Task.Delay(1, cancelled)) == _log.GameEnded)
            {
                throw new TestEmulatorException(await _log.GameEnded);
            }
        }

        if (file.Options.State is { } state)
        {
            await LoadAsync(state, file.Save is null ? StateFlags.All : StateFlags.All & ~StateFlags.SaveData, cancelled);
        }
    }

    private async Task LoadAsync(string state, StateFlags flags, CancellationToken cancelled)
    {
        if (new FileInfo(state).Length is var length && length > Limits.Tail)
        {
            throw Refused(string.Create(CultureInfo.InvariantCulture, $"It has {length} bytes; the limit is {Limits.Tail}."));
        }

        using var loaded = await _client.SendAsync(new LoadState(new ReadOnlySequence<byte>(await File.ReadAllBytesAsync(state, cancelled)), flags), Options, cancelled);
        if (loaded.Failure is { } failure)
        {
            throw failure.Kind == CommandFailureKind.Rejected ? Refused(failure.Detail) : await BrokenAsync(failure, isMistake: false, cancelled);
        }

        TestEmulatorException Refused(string reason) => new($"The state {state} cannot be loaded: {reason}", isMistake: true);
    }

    // when the game has ended, the frames will never have run
    private async Task<T> WhileTheGameRunsAsync<T>(Task<T> running, CancellationToken cancelled) =>
        await Task.WhenAny(running, _log.GameEnded) == running ? await running : throw (Exception?)await EndOfGameAsync(cancelled) ?? new TestEmulatorException(await _log.GameEnded);

    /// <summary>What ended the game, and the frame; null when it runs. The emulator still answers what takes no frames.</summary>
    private async Task<TestStepException?> EndOfGameAsync(CancellationToken cancelled)
    {
        using var status = await RunAsync(_client, new ReadScriptStatus(), cancelled);
        var machine = EmulatorHealth.StateOf(ReadScriptStatus.ParseMachine(status));
        if (machine is not (EmulatorState.Crashed or EmulatorState.Stopped))
        {
            return null;
        }

        (Frames, _frame, HasEnded) = (Frames + status.Frame - _frame, status.Frame, true);
        if (machine == EmulatorState.Stopped)
        {
            return new TestStepException("The game stopped its machine, so that no frame runs.");
        }

        using var registers = await RunAsync(_client, new ListRegisters(), cancelled);
        var places = new PlaceNames(_names, []);
        var known = ListRegisters.Parse(registers).Where(static register => register.Key is "pc" or "lr" or "sp").OrderBy(static register => register.Key, StringComparer.Ordinal)
            .Select(register => string.Create(CultureInfo.InvariantCulture, $"{register.Key} is 0x{register.Value:X8}{(places.NameOf(Location.Bus(register.Value)) is { } name ? $" ({name})" : "")}"));
        return new TestStepException($"The game crashed: it executed something that is no instruction, or jumped to an invalid address; {string.Join(", ", known)}.");
    }

    private async Task<long> FrameAsync(CancellationToken cancelled)
    {
        using var reply = await RunAsync(_client, new Ping(), cancelled);
        return reply.Frame;
    }

    private async Task<Reply> RunAsync<TCommand>(TCommand command, CancellationToken cancelled, bool isMistake = false)
        where TCommand : struct, ICommand<TCommand>
    {
        try
        {
            var reply = await RunAsync(_client, command, cancelled);
            (_epoch, _frame) = (reply.Epoch, reply.Frame);
            return reply;
        }
        catch (RequestFailedException exception)
        {
            throw await BrokenAsync(exception.Failure, isMistake, cancelled);
        }
    }

    // where a pointer leads is the game's affair
    private async Task<IReadOnlyList<NamedValue>> ReadAsync(ValueReaders readers, bool isFixed, CancellationToken cancelled)
    {
        var read = await readers.ReadAsync(_frame, _epoch, cancelled);
        return read.Failure is { } failure ? throw await BrokenAsync(failure, isFixed, cancelled)
            : read.Unsettled ? throw new TestStepException("The pointers went elsewhere each time they were followed.")
            : read.Values;
    }

    // an error reply of the script is a failure of a step; everything else ends the emulator
    private async Task<Exception> BrokenAsync(CommandFailure failure, bool isMistake, CancellationToken cancelled)
    {
        if (failure.Kind == CommandFailureKind.Rejected)
        {
            return await EndOfGameAsync(cancelled) ?? new TestStepException(failure.Detail, isMistake);
        }

        await Task.WhenAny(_process.Exited, Task.Delay(ExitTimeout, cancelled));
        return new TestEmulatorException(_process.Exited.IsCompleted ? EndOf(await _process.Exited, _log) : failure.Detail);
    }

    private sealed class PortInUseException : Exception;
}

/// <summary>A step fails.</summary>
/// <param name="message">Why.</param>
/// <param name="isMistake">Whether the test file is wrong, whatever the game does.</param>
internal sealed class TestStepException(string message, bool isMistake = false) : Exception(message)
{
    /// <summary>Whether the test file is wrong, whatever the game does.</summary>
    public bool IsMistake => isMistake;

    /// <summary>Files about the moment.</summary>
    public IReadOnlyList<(string Name, byte[] Content)> Files { get; init; } = [];
}

/// <summary>There is no emulator, or not any more.</summary>
/// <param name="message">Why.</param>
/// <param name="isMistake">Whether the test file is wrong: a file that it names is not what it should be.</param>
internal sealed class TestEmulatorException(string message, bool isMistake = false) : Exception(message)
{
    /// <summary>Whether the test file is wrong: a file that it names is not what it should be.</summary>
    public bool IsMistake => isMistake;
}
