using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Recordings;

/// <summary>
/// Records the keys of every frame, whichever client pressed them, the sensors of the cartridge, and periodic hashes of memory. It changes nothing in the game: the script reports the
/// keys of each frame. A recording ends when the game changes, is reset or lost, or when the recording is full.
/// </summary>
public sealed class Recorder : IAsyncDisposable
{
    private static readonly TimeSpan FrameTimeout = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(100);

    private readonly CancellationTokenSource _over = new();
    private readonly RecordingLog _log = new();
    private readonly EventSubscription _subscription;
    private readonly TaskCompletionSource _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _receiving = Task.CompletedTask;
    private Task _work = Task.CompletedTask;
    private Task _comparing = Task.CompletedTask;

    private Recorder(string id, EmulatorClient emulator, GameInfo game, HashedRanges ranges, long hashEvery)
    {
        (Id, Emulator, Game, Ranges, HashEvery) = (id, emulator, game, ranges, hashEvery);
        _subscription = emulator.Events.Join();
    }

    /// <summary>The id.</summary>
    public string Id { get; }

    /// <summary>The emulator.</summary>
    public EmulatorClient Emulator { get; }

    /// <summary>The game.</summary>
    public GameInfo Game { get; }

    /// <summary>The hashed memory.</summary>
    public HashedRanges Ranges { get; }

    /// <summary>The number of frames between two hashes.</summary>
    public long HashEvery { get; }

    /// <summary>The frame of the initial state.</summary>
    public long Start => _log.Start;

    /// <summary>The epoch of the initial state.</summary>
    public Epoch Epoch => _log.Epoch;

    /// <summary>The last known frame; of a running recording, the frame of the last hash.</summary>
    public long Last => _log.Last;

    /// <summary>Why the recording ended, or null while it is running.</summary>
    public string? Ended => _log.Ended;

    /// <summary>The numbers of changes of keys and sensors, and of hashes.</summary>
    public (int Inputs, int Hashes) Count => _log.Count;

    /// <summary>Starts a recording, or returns the failure.</summary>
    public static async Task<(Recorder? Recorder, CommandFailure? Failure)> StartAsync(
        string id, EmulatorClient emulator, HashedRanges? ranges, long hashEvery, CancellationToken cancellationToken)
    {
        using var game = await emulator.SendAsync(new ReadGame(), default, cancellationToken);
        if (game.Failure is { } failure)
        {
            return (null, failure);
        }

        var known = ReadGame.Parse(game);
        var recorder = new Recorder(id, emulator, known, ranges ?? HashedRanges.Of(known), hashEvery);
        try
        {
            if (await recorder.BeginAsync(cancellationToken) is { } wrong)
            {
                await recorder.DisposeAsync();
                return (null, wrong);
            }
        }
        catch (OperationCanceledException)
        {
            await recorder.DisposeAsync();
            throw;
        }

        return (recorder, null);
    }

    /// <summary>Ends the recording with a last hash.</summary>
    public async Task StopAsync()
    {
        if (Ended is null && await HashAsync(CancellationToken.None) is null)
        {
            await ReachNextFrameAsync();
            _subscription.Dispose(); // what has arrived is still read
            await _receiving;
            await _comparing;
        }

        End("stopped");
        await _work;
    }

    /// <summary>The lines of the recording's file up to now.</summary>
    public (RecordingHeader Header, IReadOnlyList<RecordingLine> Lines) Lines() => _log.Lines(Game, Ranges);

    public async ValueTask DisposeAsync()
    {
        End("forgotten");
        await _work;
        await _comparing;
        _over.Dispose();
    }

    private async Task<CommandFailure?> BeginAsync(CancellationToken cancellationToken)
    {
        EventTopic[] topics = [new EventTopic("keys"), new EventTopic("game"), new EventTopic("script"), new EventTopic("freeze"), new EventTopic("cheat")];
        var backlog = await Emulator.Events.AddAsync(_subscription, topics, null, cancellationToken);
        if (backlog.Failure is { } failure)
        {
            return failure;
        }

        foreach (var level in backlog.Missed)
        {
            Receive(level);
        }

        var sensors = await Emulator.Events.AddAsync(_subscription, [new EventTopic(EventNames.Sensors), new EventTopic(EventNames.Camera)], null, cancellationToken);
        if (sensors.Failure is { Kind: not CommandFailureKind.Rejected } problem)
        {
            return problem; // but windows have no sensors
        }

        _work = _receiving = ReceiveEventsAsync();
        await Task.WhenAny(_first.Task, Task.Delay(Emulator.AtPace(FrameTimeout), cancellationToken));
        cancellationToken.ThrowIfCancellationRequested();
        if (!_first.Task.IsCompletedSuccessfully)
        {
            return Ended is { } why ? new CommandFailure(CommandFailureKind.Indeterminate, $"The recording ended before its first frame: {why}. Start another.")
                : new CommandFailure(CommandFailureKind.Silent, $"No frame ran within {Emulator.AtPace(FrameTimeout).TotalSeconds:0.#} s.{(Emulator.Health.Detail is { } detail ? $" {detail}" : "")}");
        }

        using var ranges = await Emulator.SendAsync(new GatherMemory(Ranges.Ranges), default, cancellationToken);
        if (ranges.Failure is not null)
        {
            return ranges.Failure;
        }

        var (cheats, unknown) = await RecordedCheats.ReadAsync(Emulator, default, cancellationToken);
        if (unknown is not null)
        {
            return unknown;
        }

        using var state = await Emulator.SendAsync(new SaveState(null), default, cancellationToken);
        if (state.Failure is not null)
        {
            return state.Failure;
        }

        _log.Begin(state.Tail.ToArray(), state.Frame, state.Epoch, cheats);
        _begun.TrySetResult();
        _work = Task.WhenAll(_work, HashPeriodicallyAsync());
        return null;
    }

    private async Task ReceiveEventsAsync()
    {
        try
        {
            await foreach (var received in _subscription.Waiting.ReadAllAsync(_over.Token))
            {
                Receive(received);
                if (_subscription.TakeLost() > 0)
                {
                    End("the gateway was too busy to receive every key event");
                }
            }
        }
        catch (OperationCanceledException)
        {
            // the recording has ended
        }

        _first.TrySetCanceled();
    }

    private void Receive(EmulatorEvent received)
    {
        switch (received.Kind)
        {
            case EventNames.Keys:
                _log.Add(received.ReadKeys());
                _first.TrySetResult();
                break;
            case EventNames.Sensors:
                _log.Add(received.ReadSensors());
                break;
            case EventNames.Camera:
                _log.Add(received.ReadCamera());
                break;
            case EventNames.Cheat:
                _comparing = CompareCheatsAsync(_comparing, received.Frame);
                break;
            default:
                End(received.Kind);
                break;
        }
    }

    /// <summary>
    /// Waits for the event of a frame after the last hash. Events of one connection arrive in order, so no earlier one is outstanding then. Frames have a
    /// subscription of their own: without a frame limit there are so many that those of keys would be lost among them.
    /// </summary>
    private async Task ReachNextFrameAsync()
    {
        using var frames = Emulator.Events.Join();
        using var late = new CancellationTokenSource(Emulator.AtPace(FrameTimeout));
        try
        {
            await Emulator.Events.AddAsync(frames, [new EventTopic("frame")], null, late.Token);
            await foreach (var frame in frames.Waiting.ReadAllAsync(late.Token))
            {
                if (frame.Kind == EventNames.Frame && frame.Frame > Last)
                {
                    return;
                }
            }
        }
        catch (OperationCanceledException)
        {
            // the game does not run
        }
    }

    /// <summary>Ends the recording after a change of cheats. The event of one that it began with may come later than its cheats were read.</summary>
    private async Task CompareCheatsAsync(Task before, long changed)
    {
        try
        {
            await before;
            await _begun.Task.WaitAsync(_over.Token);
            if (changed > Start || await RecordedCheats.ReadAsync(Emulator, default, _over.Token) is not { Failure: null, Cheats: var cheats } || !RecordedCheats.AreSame(cheats, _log.Cheats))
            {
                End("cheat");
            }
        }
        catch (OperationCanceledException)
        {
            // the recording has ended
        }
    }

    private async Task HashPeriodicallyAsync()
    {
        try
        {
            while (Ended is null)
            {
                using var passed = await Emulator.SendAsync(
                    Wait.ForFrames(HashEvery), new RequestOptions { Timeout = TimeSpan.FromHours(1), IsOwnWait = true, OutlastsSilence = true }, _over.Token);
                switch (passed.Failure ?? await HashAsync(_over.Token))
                {
                    case null:
                        break;
                    case { Kind: CommandFailureKind.Silent or CommandFailureKind.ReplyTimedOut }:
                        await Task.Delay(LookEvery, _over.Token); // a busy machine or a paused window loses no keys; an emulator that is lost is an event
                        break;
                    case var failure:
                        End(failure.CodeName ?? failure.Rule.Name);
                        break;
                }
            }
        }
        catch (OperationCanceledException)
        {
            // the recording has ended
        }
    }

    private async Task<CommandFailure?> HashAsync(CancellationToken cancellationToken)
    {
        var patient = new RequestOptions { OutlastsSilence = true };
        var reading = Emulator.SendAsync(new GatherMemory(Ranges.Ranges), patient, cancellationToken);
        using var screen = await Emulator.SendAsync(new ReadScreen(), patient, cancellationToken);
        using var snapshot = await reading;
        if (snapshot.Failure is { } failure)
        {
            return failure;
        }

        if (snapshot.Epoch != Epoch)
        {
            End("epoch-changed");
            return null;
        }

        ReadOnlyMemory<byte>? picture = screen.Failure is null && screen.Frame == snapshot.Frame ? screen.Tail.ToArray() : (ReadOnlyMemory<byte>?)null;
        if (!_log.TryAdd(snapshot.Frame, snapshot.Tail.Span, picture))
        {
            End("full");
        }

        return null;
    }

    private void End(string why)
    {
        if (_log.TryEnd(why))
        {
            _subscription.Dispose();
            _over.Cancel();
        }
    }
}
