using System.Buffers;
using System.Security.Cryptography;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Recordings;

/// <summary>Plays a recording again, frame by frame under the lockstep lease, and stops at the first hash that is another.</summary>
public sealed class Replay
{
    private const long LimitMilliseconds = 10_000;

    // a caller that leaves is noticed between steps
    private const long MaxStep = 600;

    private static readonly TimeSpan StepTimeout = TimeSpan.FromSeconds(90);

    private readonly EmulatorClient _emulator;
    private readonly RecordedGame _recorded;
    private readonly RequestOptions _options;
    private readonly bool _keysOnly;
    private readonly Func<ReplayPicture, Task>? _eachFrame;
    private readonly BatchItems _look = new();
    private readonly BatchItems _draw = new();
    private Task _shown = Task.CompletedTask; // what _eachFrame does with the newest picture
    private byte[] _pixels = [];
    private long _at;
    private int _inputs;
    private int _hashes;

    private Replay(EmulatorClient emulator, RecordedGame recorded, RequestOptions options, bool keysOnly, Func<ReplayPicture, Task>? eachFrame = null)
    {
        (_emulator, _recorded, _options, _keysOnly, _eachFrame) = (emulator, recorded, options, keysOnly, eachFrame);
        foreach (var range in recorded.Ranges.Ranges)
        {
            _look.Add(new ReadMemory(range.Location, range.Length), ItemResultKind.Bytes);
        }

        if (eachFrame is not null)
        {
            _look.Add(new ReadPixels(), ItemResultKind.Bytes);
            _draw.Add(new ReadPixels(), ItemResultKind.Bytes);
        }
    }

    /// <summary>Takes the lease and plays it. The game stays where it ended, with no key down.</summary>
    public static async Task<ReplayOutcome> RunAsync(EmulatorClient emulator, RecordedGame recorded, CancellationToken cancellationToken)
    {
        Holder.TryCreate($"replay-{RandomNumberGenerator.GetHexString(8, lowercase: true)}", out var holder);
        var replay = new Replay(emulator, recorded, new RequestOptions { Holder = holder, Timeout = StepTimeout, OutlastsSilence = true }, keysOnly: false);
        using var lease = await emulator.SendAsync(new TakeLease(LimitMilliseconds, null), replay._options, CancellationToken.None);
        if (lease.Failure is not null)
        {
            return replay.Outcome(lease);
        }

        try
        {
            return await replay.RunAsync(cancellationToken);
        }
        finally
        {
            using var released = await emulator.SendAsync(new ReleaseLease(), replay._options, CancellationToken.None);
        }
    }

    /// <summary>Plays it for the holder of the lease.</summary>
    /// <param name="emulator">The emulator.</param>
    /// <param name="recorded">The recording.</param>
    /// <param name="options">Those of the holder.</param>
    /// <param name="keysOnly">Whether its keys are played from the game's present moment, without its state, cheats and hashes.</param>
    /// <param name="eachFrame">What is called with the picture of each frame, while the next one runs, or null.</param>
    /// <param name="cancellationToken">Ends it between steps.</param>
    public static Task<ReplayOutcome> RunUnderLeaseAsync(
        EmulatorClient emulator, RecordedGame recorded, RequestOptions options, bool keysOnly, Func<ReplayPicture, Task>? eachFrame, CancellationToken cancellationToken) =>
        new Replay(emulator, recorded, options, keysOnly, eachFrame).RunAsync(cancellationToken);

    private async Task<ReplayOutcome> RunAsync(CancellationToken cancellationToken)
    {
        if (!_keysOnly)
        {
            using var state = await _emulator.SendAsync(new LoadState(new ReadOnlySequence<byte>(_recorded.Header.State), null), _options, cancellationToken);
            if (state.Failure is not null)
            {
                return Outcome(state);
            }

            if (await RecordedCheats.ApplyAsync(_emulator, _recorded.Header.Cheats ?? [], _options, cancellationToken) is { } failure)
            {
                return Outcome(state) with { Failure = failure with { PartlyDone = true } };
            }
        }

        ReplayOutcome played;
        try
        {
            played = await PlayAsync(cancellationToken);
        }
        finally
        {
            await _shown; // however it ended: it uses the pixels, and what the caller closes next
        }

        return played.Failure is { } ended ? played with { Failure = ended with { PartlyDone = true } } : played;
    }

    private async Task<ReplayOutcome> PlayAsync(CancellationToken cancellationToken)
    {
        var keys = Keys(_recorded.Header.Keys);
        foreach (var line in _recorded.Lines)
        {
            var after = line.Frame - _recorded.Header.Frame;
            while (_at < after - MaxStep)
            {
                using var part = await StepAsync(MaxStep, keys, isCompared: false, cancellationToken);
                if (part.Failure is not null)
                {
                    return Outcome(part);
                }
            }

            var isCompared = line.Hash is not null && !_keysOnly;
            using var reply = await StepAsync(after - _at, keys, isCompared, cancellationToken);
            var (divergence, failure) = reply.Failure is null && isCompared ? Compare(line, after, reply) : (null, reply.Failure);
            if (failure is not null || divergence is not null)
            {
                return Outcome(reply) with { Divergence = divergence, Failure = failure };
            }

            _hashes += isCompared ? 1 : 0;
            if (line.Keys is { } next)
            {
                _inputs++;
                keys = Keys(next);
            }
        }

        using var last = await _emulator.SendAsync(new Ping(), _options, cancellationToken);
        return Outcome(last);
    }

    // they were looked at when the file was read
    private static KeySet Keys(string text) => KeySet.TryParse(text, out var keys) ? keys : default;

    // with pictures each frame is a step
    private async Task<Reply> StepAsync(long frames, KeySet keys, bool isCompared, CancellationToken cancellationToken)
    {
        for (; _eachFrame is not null && frames > 1; frames--)
        {
            var one = await StepAtOnceAsync(1, keys, isCompared: false, cancellationToken);
            if (one.Failure is not null)
            {
                return one;
            }

            one.Dispose();
        }

        return await StepAtOnceAsync(frames, keys, isCompared, cancellationToken);
    }

    private async Task<Reply> StepAtOnceAsync(long frames, KeySet keys, bool isCompared, CancellationToken cancellationToken)
    {
        var items = isCompared ? _look : _eachFrame is not null ? _draw : null;
        var reply = await _emulator.SendAsync(new StepLease(frames, keys, items), _options, cancellationToken);
        if (reply.Failure is null)
        {
            _at += frames;
            if (frames > 0 && _eachFrame is not null)
            {
                await _shown;
                _shown = _eachFrame(CopyPicture(reply));
            }
        }

        return reply;
    }

    // behind what is compared
    private ReplayPicture CopyPicture(Reply reply)
    {
        var results = new ItemResults(reply.Tail);
        while (results.Read())
        {
            var values = results.Values;
            if (values.TryReadInteger(out var width) && values.TryReadInteger(out var height))
            {
                Array.Resize(ref _pixels, results.Bytes.Length);
                results.Bytes.CopyTo(_pixels);
                return new ReplayPicture((int)width, (int)height, _pixels);
            }
        }

        throw new UnexpectedReplyException(default(ReadPixels).Descriptor);
    }

    private (ReplayDivergence? Divergence, FailureReport? Failure) Compare(RecordingLine line, long after, Reply reply)
    {
        var memory = new ArrayBufferWriter<byte>();
        var results = new ItemResults(reply.Tail);
        for (var range = 0; range < _recorded.Ranges.Ranges.Count && results.Read(); range++)
        {
            if (results.ToFailure() is { } failure)
            {
                return (null, failure);
            }

            memory.Write(results.Bytes.Span);
        }

        var hash = HashedRanges.Hash(memory.WrittenSpan);
        return (hash == line.Hash ? null : new ReplayDivergence(line, after, hash, memory.WrittenMemory), null);
    }

    private ReplayOutcome Outcome(Reply reply) => new(reply.Frame, reply.Epoch, _at, _inputs, _hashes, null, reply.Failure);
}

/// <summary>The picture of a frame of a replay.</summary>
/// <param name="Width">Its width in pixels.</param>
/// <param name="Height">Its height.</param>
/// <param name="Pixels">Red, green and blue of each pixel; until the function that got it has ended.</param>
public readonly record struct ReplayPicture(int Width, int Height, ReadOnlyMemory<byte> Pixels);

/// <summary>How a replay ended.</summary>
/// <param name="Frame">The script's frame count at the end.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="Frames">How many frames ran.</param>
/// <param name="Inputs">How many changes of the keys were made.</param>
/// <param name="Hashes">How many hashes were the same.</param>
/// <param name="Divergence">The first that was another, or null.</param>
/// <param name="Failure">Why it could not continue, or null.</param>
public sealed record ReplayOutcome(long Frame, Epoch Epoch, long Frames, int Inputs, int Hashes, ReplayDivergence? Divergence, FailureReport? Failure);

/// <summary>Where a replay went another way.</summary>
/// <param name="Line">The line of the recording.</param>
/// <param name="After">How many frames after its state.</param>
/// <param name="Found">The hash that was found.</param>
/// <param name="Memory">The memory that was found.</param>
public sealed record ReplayDivergence(RecordingLine Line, long After, string Found, ReadOnlyMemory<byte> Memory);
