using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Operations.Votes;

/// <summary>The votes of all emulators.</summary>
/// <param name="time">The clock.</param>
internal sealed class VoteRegistry(TimeProvider time)
{
    private readonly ConcurrentDictionary<EmulatorClient, EmulatorVotes> _emulators = [];

    /// <summary>Those of an emulator.</summary>
    public EmulatorVotes Of(EmulatorClient emulator) => _emulators.GetOrAdd(emulator, static (emulator, time) => new EmulatorVotes(emulator, time), time);

    /// <summary>Ends those of an emulator that is gone.</summary>
    public Task ForgetAsync(EmulatorClient emulator) => _emulators.TryRemove(emulator, out var votes) ? votes.EndAsync() : Task.CompletedTask;

    /// <summary>Ends all.</summary>
    public Task EndAsync() => Task.WhenAll(_emulators.Keys.Select(ForgetAsync));
}

/// <summary>The votes of an emulator, of which one is open at a time, and its voters who are blocked.</summary>
/// <param name="emulator">The emulator.</param>
/// <param name="time">The clock.</param>
[SuppressMessage("Design", "CA1001", Justification = "a semaphore has nothing to release unless its wait handle is used")]
internal sealed class EmulatorVotes(EmulatorClient emulator, TimeProvider time)
{
    /// <summary>How many are kept: the newest, and the last that have ended.</summary>
    public const int Max = 8;

    private readonly List<Vote> _votes = [];
    private readonly SemaphoreSlim _turn = new(1);
    private readonly Lock _gate = new();

    /// <summary>All, the newest first.</summary>
    public IReadOnlyList<Vote> All
    {
        get
        {
            lock (_gate)
            {
                return [.. _votes];
            }
        }
    }

    /// <summary>The voters whose ballots are refused.</summary>
    public BlockedVoters Blocked { get; } = new(time);

    /// <summary>Opens a vote, unless one is open.</summary>
    public async Task<Result<Vote>> OpenAsync(VoteRequest request)
    {
        Vote opened;
        Vote? forgotten = null;
        lock (_gate)
        {
            if (_votes.Find(static vote => vote.IsOpen) is { } open)
            {
                return new Failure(FailureKind.VoteOpen, $"The vote {open.Id} of this emulator is open, and there is one at a time.", new NextStep(VoteOperations.Delete, "ends it"));
            }

            opened = new Vote(RandomNumberGenerator.GetHexString(8, lowercase: true), emulator, request, time, _turn);
            _votes.Insert(0, opened);
            if (_votes.Count > Max)
            {
                forgotten = _votes[^1];
                _votes.Remove(forgotten);
            }
        }

        await (forgotten?.EndAsync() ?? Task.CompletedTask);
        return opened;
    }

    /// <summary>The vote of this id, or null.</summary>
    public Vote? Find(string id)
    {
        lock (_gate)
        {
            return _votes.Find(vote => vote.Id == id);
        }
    }

    /// <summary>Forgets a vote, which ends.</summary>
    public Task RemoveAsync(Vote vote)
    {
        lock (_gate)
        {
            _votes.Remove(vote);
        }

        return vote.EndAsync();
    }

    /// <summary>Ends all.</summary>
    public Task EndAsync() => Task.WhenAll(All.Select(static vote => vote.EndAsync()));
}
