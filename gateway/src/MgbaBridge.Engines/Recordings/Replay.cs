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
    private readonly BatchItems _look = new();
    private long _at;
    private int _inputs;
    private int _hashes;

    private Replay(EmulatorClient emulator, RecordedGame recorded)
    {
        Holder.TryCreate($"replay-{RandomNumberGenerator.GetHexString(8, lowercase: true)}", out var holder);
        (_emulator, _recorded) = (emulator, recorded);
        _options = new RequestOptions { Holder = holder, Timeout = StepTimeout };
        foreach (var range in recorded.Ranges.Ranges)
        {
            _look.Add(new ReadMemory(range.Location, range.Length), ItemResultKind.Bytes);
        }
    }

    /// <summary>Plays it. The game stays where it ended, with no key down.</summary>
    public static async Task<ReplayOutcome> RunAsync(EmulatorClient emulator, RecordedGame recorded, CancellationToken cancellationToken)
    {
        var replay = new Replay(emulator, recorded);
        using var lease = await emulator.SendAsync(new TakeLease(LimitMilliseconds, null), replay._options, CancellationToken.None);
        if (lease.Failure is not null)
        {
            return replay.Outcome(lease);
        }

        try
        {
            using var state = await emulator.SendAsync(new LoadState(new ReadOnlySequence<byte>(recorded.Header.State), null), replay._options, cancellationToken);
            if (state.Failure is not null)
            {
                return replay.Outcome(state);
            }

            var played = await replay.PlayAsync(cancellationToken);
            return played.Failure is { } failure ? played with { Failure = failure with { PartlyDone = true } } : played;
        }
        finally
        {
            using var released = await emulator.SendAsync(new ReleaseLease(), replay._options, CancellationToken.None);
        }
    }

    private async Task<ReplayOutcome> PlayAsync(CancellationToken cancellationToken)
    {
        var keys = Keys(_recorded.Header.Keys);
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

            using var reply = await StepAsync(after - _at, keys, line.Hash is null ? null : _look, cancellationToken);
            var divergence = reply.Failure is null ? Differs(line, after, reply) : null;
            if (reply.Failure is not null || divergence is not null)
            {
                return Outcome(reply, divergence);
            }

            _hashes += line.Hash is null ? 0 : 1;
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

    private async Task<Reply> StepAsync(long frames, KeySet keys, BatchItems? items, CancellationToken cancellationToken)
    {
        var reply = await _emulator.SendAsync(new StepLease(frames, keys, items), _options, cancellationToken);
        _at += reply.Failure is null ? frames : 0;
        return reply;
    }

    private static Divergence? Differs(RecordingLine line, long after, Reply reply)
    {
        if (line.Hash is not { } expected)
        {
            return null;
        }

        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var results = new ItemResults(reply.Tail);
        while (results.Read())
        {
            hash.AppendData(results.Bytes.Span);
        }

        var found = Convert.ToHexStringLower(hash.GetHashAndReset());
        return found == expected ? null : new Divergence(line.Frame, after, expected, found);
    }

    private ReplayOutcome Outcome(Reply reply, Divergence? divergence = null) => new(reply.Frame, reply.Epoch, _at, _inputs, _hashes, divergence, reply.Failure);
}

/// <summary>How a replay ended.</summary>
/// <param name="Frame">The script's frame count at the end.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="Frames">How many frames ran.</param>
/// <param name="Inputs">How many changes of the keys were made.</param>
/// <param name="Hashes">How many hashes were the same.</param>
/// <param name="Divergence">The first that was another, or null.</param>
/// <param name="Failure">Why it could not continue, or null.</param>
public sealed record ReplayOutcome(long Frame, Epoch Epoch, long Frames, int Inputs, int Hashes, Divergence? Divergence, FailureReport? Failure);

/// <summary>Where a replay went another way.</summary>
/// <param name="Frame">The frame of the recording.</param>
/// <param name="After">How many frames after its state.</param>
/// <param name="Expected">The hash in the recording.</param>
/// <param name="Found">The hash that was found.</param>
public sealed record Divergence(long Frame, long After, string Expected, string Found);
