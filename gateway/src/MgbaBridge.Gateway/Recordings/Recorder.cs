using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Recordings;

/// <summary>
/// Writes down the keys of every frame, whoever pressed them, and a hash of memory now and then. It only looks: the script tells it which
/// keys each frame ran with. It ends by itself when the game changes, is reset or lost, or when it is full.
/// </summary>
public sealed partial class Recorder : IAsyncDisposable
{
    private const int MaxLines = 50_000;

    private static readonly TimeSpan AFrameWithin = TimeSpan.FromSeconds(5);

    private readonly CancellationTokenSource _over = new();
    private readonly Lock _gate = new();
    private readonly List<(long Frame, KeySet Keys)> _inputs = [];
    private readonly List<(long Frame, string Hash)> _hashes = [];
    private readonly EventSubscription _subscription;
    private readonly TaskCompletionSource _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _behindLast = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _work = Task.CompletedTask;
    private ReadOnlyMemory<byte> _state;

    private Recorder(string id, EmulatorClient emulator, GameInfo game, HashedRanges ranges, long hashEvery)
    {
        (Id, Emulator, Game, Ranges, HashEvery) = (id, emulator, game, ranges, hashEvery);
        _subscription = emulator.Events.Join();
    }

    /// <summary>Its name.</summary>
    public string Id { get; }

    /// <summary>Whose game it is of.</summary>
    public EmulatorClient Emulator { get; }

    /// <summary>The game.</summary>
    public GameInfo Game { get; }

    /// <summary>What the hashes are of.</summary>
    public HashedRanges Ranges { get; }

    /// <summary>About every how many frames one is taken.</summary>
    public long HashEvery { get; }

    /// <summary>The frame of the state that it begins with.</summary>
    public long Start { get; private set; }

    /// <summary>The epoch then.</summary>
    public uint Epoch { get; private set; }

    /// <summary>The last frame that is known; of one that goes on, the last hash.</summary>
    public long Last { get; private set; }

    /// <summary>Why it ended, or null while it goes on.</summary>
    public string? Ended { get; private set; }

    /// <summary>How many changes of the keys and how many hashes it has.</summary>
    public (int Inputs, int Hashes) Count
    {
        get
        {
            lock (_gate)
            {
                return (_inputs.Count(IsInside), _hashes.Count);
            }
        }
    }

    /// <summary>Begins one, or says why not.</summary>
    public static async Task<(Recorder? Recorder, FailureReport? Failure)> StartAsync(
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

    /// <summary>Ends it with a last hash.</summary>
    public async Task StopAsync()
    {
        if (Ended is null && await HashAsync(CancellationToken.None) is null)
        {
            // what is told on one connection comes in order: behind the next frame nothing of before is missing
            await Emulator.Events.AddAsync(_subscription, [new EventTopic("frame", default, 1, 1)], null, CancellationToken.None);
            await Task.WhenAny(_behindLast.Task, Task.Delay(AFrameWithin));
        }

        End("stopped");
        await _work;
    }

    /// <summary>All that was written down so far, as the lines of a file.</summary>
    public (RecordingHeader Header, IReadOnlyList<RecordingLine> Lines) Lines()
    {
        lock (_gate)
        {
            var header = new RecordingHeader
            {
                Recording = RecordingHeader.Version,
                Title = Game.Title,
                Crc32 = Game.Crc32,
                Frame = Start,
                Ranges = Ranges.Texts(),
                Keys = _inputs.LastOrDefault(input => input.Frame <= Start).Keys.ToString(),
                State = _state,
            };
            var lines = _inputs.Where(IsInside)
                .Select(input => new RecordingLine { Frame = input.Frame, Keys = input.Keys.ToString() })
                .Concat(_hashes.Select(hash => new RecordingLine { Frame = hash.Frame, Hash = hash.Hash }))
                .OrderBy(line => line.Frame);
            return (header, Ended is null ? [.. lines] : [.. lines, new RecordingLine { Frame = Last, End = Ended }]);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        End("forgotten");
        await _work;
        _over.Dispose();
    }

    private async Task<FailureReport?> BeginAsync(CancellationToken cancellationToken)
    {
        EventTopic[] topics = [new EventTopic("keys", default, 1, 1), new EventTopic("game", default, 1, 1), new EventTopic("script", default, 1, 1)];
        var backlog = await Emulator.Events.AddAsync(_subscription, topics, null, cancellationToken);
        if (backlog.Failure is { } failure)
        {
            return failure;
        }

        foreach (var level in backlog.Missed)
        {
            Hear(level);
        }

        _work = ListenAsync();
        await Task.WhenAny(_first.Task, Task.Delay(AFrameWithin, cancellationToken));
        cancellationToken.ThrowIfCancellationRequested();
        if (!_first.Task.IsCompletedSuccessfully)
        {
            return new FailureReport(Failure.Silent, $"No frame ran within {AFrameWithin.TotalSeconds} s.");
        }

        using var ranges = await Emulator.SendAsync(new GatherMemory(Ranges.Ranges), default, cancellationToken);
        if (ranges.Failure is not null)
        {
            return ranges.Failure;
        }

        using var state = await Emulator.SendAsync(new SaveState(null), default, cancellationToken);
        if (state.Failure is not null)
        {
            return state.Failure;
        }

        (_state, Start, Last, Epoch) = (state.Tail.ToArray(), state.Frame, state.Frame, state.Epoch);
        _work = Task.WhenAll(_work, HashOftenAsync());
        return null;
    }

    // the keys at the start stand in the header, and behind the last hash nothing runs
    private bool IsInside((long Frame, KeySet Keys) input) => input.Frame > Start && (Ended is null || input.Frame < Last);

    private void End(string why)
    {
        lock (_gate)
        {
            if (Ended is not null)
            {
                return;
            }

            Ended = why;
        }

        _subscription.Dispose();
        _over.Cancel();
    }
}
