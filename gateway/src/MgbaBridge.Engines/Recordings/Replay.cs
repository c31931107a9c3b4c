using System.Buffers;
using System.Security.Cryptography;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Engines.Recordings;

/// <summary>Plays a recording again, frame by frame under the lockstep lease, and stops at the first hash or picture that is another.</summary>
public sealed class Replay
{
    private const long LimitMilliseconds = 10_000;

    // a caller that leaves is noticed between steps, and so is an emulator whose frames are encoded slowly
    private const long MaxStep = 60;

    private static readonly TimeSpan StepTimeout = TimeSpan.FromSeconds(90);

    private readonly EmulatorClient _emulator;
    private readonly RecordedGame _recorded;
    private readonly RequestOptions _options;
    private readonly bool _keysOnly;
    private readonly Func<RecordingLine, ReplayPicture, bool>? _isSame;
    private readonly BatchItems _look = new();
    private readonly BatchItems _draw = new(); // of lines with a picture and no hash, which says more
    private long _at;
    private bool _hasSensors;
    private int _inputs;
    private int _hashes;

    private Replay(EmulatorClient emulator, RecordedGame recorded, RequestOptions options, bool keysOnly, Func<RecordingLine, ReplayPicture, bool>? isSame = null)
    {
        (_emulator, _recorded, _options, _keysOnly, _isSame) = (emulator, recorded, options, keysOnly, isSame);
        foreach (var range in recorded.Ranges.Ranges)
        {
            _look.Add(new ReadMemory(range.Location, range.Length), ItemResultKind.Bytes);
        }

        _draw.Add(new ReadPixels(), ItemResultKind.Bytes);
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

        var clock = await replay.ReadClockAsync();
        try
        {
            if (clock is not null)
            {
                using var free = await emulator.SendAsync(new SetClock(ClockValue.Host), replay._options, CancellationToken.None); // the state brings its own
            }

            return await replay.RunAsync(cancellationToken);
        }
        finally
        {
            if (clock is { } before)
            {
                using var restored = await emulator.SendAsync(before, replay._options, CancellationToken.None);
            }

            if (replay._hasSensors)
            {
                using var neutral = await emulator.SendAsync(new ReleaseSensors(), replay._options, CancellationToken.None);
            }

            using var released = await emulator.SendAsync(new ReleaseLease(), replay._options, CancellationToken.None);
        }
    }

    /// <summary>Plays it for the holder of the lease.</summary>
    /// <param name="emulator">The emulator.</param>
    /// <param name="recorded">The recording.</param>
    /// <param name="options">Those of the holder.</param>
    /// <param name="keysOnly">Whether its keys are played from the game's present moment, without its state, cheats and hashes.</param>
    /// <param name="isSame">Compares the picture of the game with that of a line that has one and no hash; null where no pictures are compared.</param>
    /// <param name="cancellationToken">Ends it between steps.</param>
    public static Task<ReplayOutcome> RunUnderLeaseAsync(
        EmulatorClient emulator, RecordedGame recorded, RequestOptions options, bool keysOnly, Func<RecordingLine, ReplayPicture, bool>? isSame, CancellationToken cancellationToken) =>
        new Replay(emulator, recorded, options, keysOnly, isSame).RunAsync(cancellationToken);

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

        var played = await PlayAsync(cancellationToken);
        return played.Failure is { } ended ? played with { Failure = ended with { PartlyDone = true } } : played;
    }

    private async Task<ReplayOutcome> PlayAsync(CancellationToken cancellationToken)
    {
        var keys = Keys(_recorded.Header.Keys);
        if (_recorded.Header.Sensors is { } atStart && await SetAsync(atStart, cancellationToken) is { } refused)
        {
            return refused;
        }

        if (_recorded.Header.Camera is { } seen && await ShowAsync(seen, cancellationToken) is { } unseen)
        {
            return unseen;
        }

        foreach (var line in _recorded.Lines)
        {
            var after = line.Frame - _recorded.Header.Frame;
            while (_at < after - MaxStep)
            {
                using var part = await StepAsync(MaxStep, keys, null, cancellationToken);
                if (part.Failure is not null)
                {
                    return Outcome(part);
                }
            }

            var isCompared = line.Hash is not null && !_keysOnly;
            var isSeen = line is { Hash: null, Picture: not null } && _isSame is not null;
            using var reply = await StepAsync(after - _at, keys, isCompared ? _look : isSeen ? _draw : null, cancellationToken);
            var (divergence, failure) = reply.Failure is null && isCompared ? Compare(line, after, reply) : (null, reply.Failure);
            if (failure is not null || divergence is not null)
            {
                return Outcome(reply) with { Divergence = divergence, Failure = failure };
            }

            if (isSeen && !_isSame!(line, PictureOf(reply)))
            {
                return Outcome(reply) with { Divergence = new ReplayDivergence(line, after, "", default) };
            }

            _hashes += isCompared ? 1 : 0;
            if (line.Keys is { } next)
            {
                _inputs++;
                keys = Keys(next);
            }
            else if (line.Sensors is { } sensors)
            {
                _inputs++;
                if (await SetAsync(sensors, cancellationToken) is { } wrong)
                {
                    return wrong;
                }
            }
            else if (line.Camera is { } camera)
            {
                _inputs++;
                if (await ShowAsync(camera, cancellationToken) is { } wrong)
                {
                    return wrong;
                }
            }
        }

        using var last = await _emulator.SendAsync(new Ping(), _options, cancellationToken);
        return Outcome(last);
    }

    // they were looked at when the file was read
    private static KeySet Keys(string text) => KeySet.TryParse(text, out var keys) ? keys : default;

    private async Task<Reply> StepAsync(long frames, KeySet keys, BatchItems? items, CancellationToken cancellationToken)
    {
        var reply = await _emulator.SendAsync(new StepLease(frames, keys, items), _options, cancellationToken);
        _at += reply.Failure is null ? frames : 0;
        return reply;
    }

    /// <summary>What sets the clock to what it is now; null in a window.</summary>
    private async Task<SetClock?> ReadClockAsync()
    {
        using var reply = await _emulator.SendAsync(new ReadClock(), _options, CancellationToken.None);
        return reply.Failure is not null ? null : ReadClock.Parse(reply).ToCommand();
    }

    private async Task<ReplayOutcome?> SetAsync(SensorValues sensors, CancellationToken cancellationToken)
    {
        _hasSensors = true;
        using var reply = await _emulator.SendAsync(new SetSensors(sensors.Light, sensors.TiltX, sensors.TiltY, sensors.Gyro), _options, cancellationToken);
        return reply.Failure is null ? null : Outcome(reply);
    }

    private async Task<ReplayOutcome?> ShowAsync(ReadOnlyMemory<byte> png, CancellationToken cancellationToken)
    {
        CameraPicture.TryReadPng(png.Span, out var grey); // it was looked at when the file was read
        _hasSensors = true;
        using var reply = await _emulator.SendAsync(new SetCamera(new ReadOnlySequence<byte>(grey ?? [])), _options, cancellationToken);
        return reply.Failure is null ? null : Outcome(reply);
    }

    private static ReplayPicture PictureOf(Reply reply)
    {
        var results = new ItemResults(reply.Tail);
        if (results.Read() && results.Values is var values && values.TryReadInteger(out var width) && values.TryReadInteger(out var height))
        {
            return new ReplayPicture((int)width, (int)height, results.Bytes);
        }

        throw new UnexpectedReplyException(default(ReadPixels).Descriptor);
    }

    private (ReplayDivergence? Divergence, CommandFailure? Failure) Compare(RecordingLine line, long after, Reply reply)
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
/// <param name="Pixels">Red, green and blue of each pixel; until the function that got it has returned.</param>
public readonly record struct ReplayPicture(int Width, int Height, ReadOnlyMemory<byte> Pixels);

/// <summary>How a replay ended.</summary>
/// <param name="Frame">The script's frame count at the end.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="Frames">How many frames ran.</param>
/// <param name="Inputs">How many changes of keys and sensors were made.</param>
/// <param name="Hashes">How many hashes were the same.</param>
/// <param name="Divergence">The first that was another, or null.</param>
/// <param name="Failure">Why it could not continue, or null.</param>
public sealed record ReplayOutcome(long Frame, Epoch Epoch, long Frames, int Inputs, int Hashes, ReplayDivergence? Divergence, CommandFailure? Failure);

/// <summary>Where a replay went another way.</summary>
/// <param name="Line">The line of the recording.</param>
/// <param name="After">How many frames after its state.</param>
/// <param name="Found">The hash that was found; empty where the line has a picture only.</param>
/// <param name="Memory">The memory that was found; empty there, too.</param>
public sealed record ReplayDivergence(RecordingLine Line, long After, string Found, ReadOnlyMemory<byte> Memory);
