using System.Diagnostics.CodeAnalysis;
using System.Threading.Channels;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations.Keys;

namespace MgbaBridge.Gateway.Operations.Votes;

/// <summary>
/// A vote over what is pressed next. Its presses have a holder of their own and come one after the other, after those of the votes before it, so that no two
/// of them make a combination that is no choice. Counting does not wait for the game: a press that fails is a problem of the vote, and ballots are counted all the same.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "a source of cancellation without a timer has nothing to release")]
internal sealed class Vote
{
    /// <summary>The most presses that wait.</summary>
    public const int MaxWaiting = 32;

    /// <summary>How many of the last ballots are remembered.</summary>
    public const int MaxRecent = 10;

    private static readonly TimeSpan AnnounceInterval = TimeSpan.FromMilliseconds(200);

    private readonly EmulatorClient _emulator;
    private readonly VoteRequest _request;
    private readonly RequestOptions _options;
    private readonly TimeProvider _time;
    private readonly Tally _tally;
    private readonly Queue<RecentBallot> _recent = new();
    private readonly Channel<KeySequence> _presses = Channel.CreateBounded<KeySequence>(MaxWaiting);
    private readonly CancellationTokenSource _over = new();
    private readonly Lock _gate = new();
    private readonly ITimer _round;
    private readonly ITimer _announce;
    private readonly SemaphoreSlim _turn;
    private readonly Task _work;
    private long _began;
    private bool _isOpen = true;
    private bool _isAnnounced;
    private RoundAnswer? _last;
    private long _pressed;
    private long _dropped;
    private string? _problem;

    /// <summary>Opens it.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="emulator">The emulator.</param>
    /// <param name="request">What is voted over, and how.</param>
    /// <param name="time">The clock.</param>
    /// <param name="turn">Of the votes of the emulator, the one that has it presses, until it has ended and its presses are over.</param>
    public Vote(string id, EmulatorClient emulator, VoteRequest request, TimeProvider time, SemaphoreSlim turn)
    {
        (Id, _emulator, _request, _time, _turn) = (id, emulator, request, time, turn);
        Holder = Holder.TryCreate($"vote-{id}", out var holder) ? holder : throw new ArgumentException("The id makes no holder.", nameof(id));
        _options = new RequestOptions { Holder = Holder, Owner = Holder, Timeout = PressAnswer.MaxWait };
        _tally = new Tally(request.Choices.Count, request.Mode == VoteMode.Democracy, request.Cooldown, time);
        _began = time.GetTimestamp();
        _announce = time.CreateTimer(_ => AnnounceBallots(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _round = time.CreateTimer(_ => EndRound(), null, request.Length ?? Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _work = PressAsync();
        emulator.Announce(EventNames.VoteOpened, id);
    }

    /// <summary>Its id.</summary>
    public string Id { get; }

    /// <summary>The holder of its presses.</summary>
    public Holder Holder { get; }

    /// <summary>Whether ballots are taken.</summary>
    public bool IsOpen
    {
        get
        {
            lock (_gate)
            {
                return _isOpen;
            }
        }
    }

    /// <summary>What it is now.</summary>
    public VoteAnswer Answer
    {
        get
        {
            lock (_gate)
            {
                double? left = _isOpen && _request.Length is { } length ? Math.Round(Math.Max(0, (length - _time.GetElapsedTime(_began)).TotalSeconds), 1) : null;
                return new VoteAnswer(
                    Id, _request.Title, _request.Mode, _isOpen, Holder.Name, _tally.Round, left, _tally.Ballots, _tally.Voters,
                    [.. _request.Choices.Select((choice, index) => new ChoiceAnswer(choice.Name, choice.Sequence?.ToString(), _tally.Of(index)))],
                    _last, [.. _recent], _presses.Reader.Count, _pressed, _dropped, _problem);
            }
        }
    }

    /// <summary>Counts a ballot, or says why not.</summary>
    public Result<BallotAnswer> Cast(string voter, string text)
    {
        if (Find(text.Trim()) is not var (index, times))
        {
            var more = _request.MaxTimes > 1 ? $", each with 1 to {_request.MaxTimes} after it for how many times" : "";
            return Failure.BadRequest($"{Parameter.Quote(text)} is no choice; the choices are {string.Join(", ", _request.Choices.Select(choice => choice.Name))}{more}.");
        }

        var choice = _request.Choices[index];
        lock (_gate)
        {
            if (!_isOpen)
            {
                return new Failure(FailureKind.VoteEnded, $"The vote {Id} has ended, and an owner can open another.", new NextStep(VoteOperations.List, "lists the one that is open, if any"));
            }

            if (_tally.Cast(voter, index) is { } failure)
            {
                return failure;
            }

            _recent.Enqueue(new RecentBallot(voter, choice.Name, times > 1 ? times : null));
            if (_recent.Count > MaxRecent)
            {
                _recent.Dequeue();
            }

            if (!_isAnnounced)
            {
                _isAnnounced = true;
                _announce.Change(AnnounceInterval, Timeout.InfiniteTimeSpan);
            }

            bool? queued = _request.Mode == VoteMode.Anarchy && choice.Sequence is { } sequence ? Press(sequence, times) : null;
            return new BallotAnswer(Id, _tally.Round, choice.Name, _tally.Of(index), queued);
        }
    }

    /// <summary>Ends it, if it is open, and what it presses.</summary>
    public async Task EndAsync()
    {
        if (Close())
        {
            _emulator.Announce(EventNames.VoteEnded, Id);
        }

        await _over.CancelAsync();
        await _work;
        await _round.DisposeAsync();
        await _announce.DisposeAsync();
    }

    private bool Close()
    {
        lock (_gate)
        {
            _presses.Writer.TryComplete();
            return _isOpen && !(_isOpen = false);
        }
    }

    // the index of a choice, and how many times it is pressed: A3
    private (int Index, int Times)? Find(string text)
    {
        return IndexOf(text) is { } exact ? (exact, 1)
            : text.Length > 0 && text[^1] - '0' is >= 1 and var times && times <= _request.MaxTimes && IndexOf(text.AsSpan(..^1)) is { } index ? (index, times)
            : null;
    }

    private int? IndexOf(ReadOnlySpan<char> name)
    {
        for (var index = 0; index < _request.Choices.Count; index++)
        {
            if (name.Equals(_request.Choices[index].Name, StringComparison.OrdinalIgnoreCase))
            {
                return index;
            }
        }

        return null;
    }

    private bool Press(KeySequence sequence, int times)
    {
        var isQueued = _presses.Writer.TryWrite(times == 1 ? sequence : new KeySequence([.. Enumerable.Repeat(sequence.Steps, times).SelectMany(static steps => steps)]));
        _dropped += isQueued ? 0 : 1;
        return isQueued;
    }

    private void EndRound()
    {
        bool isOver;
        lock (_gate)
        {
            if (!_isOpen)
            {
                return;
            }

            var leader = _tally.Leader;
            _last = new RoundAnswer(_tally.Round, leader is { } index ? _request.Choices[index].Name : null, leader is { } of ? _tally.Of(of) : 0, _tally.Ballots);
            if (_request.Mode == VoteMode.Democracy && leader is { } winner && _request.Choices[winner].Sequence is { } sequence)
            {
                Press(sequence, 1);
            }

            isOver = !_request.Repeats;
            if (!isOver)
            {
                _tally.BeginRound();
                _began = _time.GetTimestamp();
                _round.Change(_request.Length!.Value, Timeout.InfiniteTimeSpan);
            }
        }

        _emulator.Announce(EventNames.VoteDecided, Id);
        if (isOver && Close())
        {
            _emulator.Announce(EventNames.VoteEnded, Id);
        }
    }

    // many ballots are one event
    private void AnnounceBallots()
    {
        lock (_gate)
        {
            _isAnnounced = false;
        }

        _emulator.Announce(EventNames.VoteBallots, Id);
    }

    private async Task PressAsync()
    {
        try
        {
            await _turn.WaitAsync(_over.Token);
        }
        catch (OperationCanceledException)
        {
            return; // it has ended before it pressed anything
        }

        try
        {
            await foreach (var sequence in _presses.Reader.ReadAllAsync(_over.Token))
            {
                using var reply = await _emulator.SendAsync(new PlaySequence(sequence, Wait: true), _options, _over.Token);
                lock (_gate)
                {
                    _problem = reply.Failure?.Detail;
                    _pressed += reply.Failure is null ? 1 : 0;
                }
            }
        }
        catch (OperationCanceledException)
        {
            await _emulator.Releases.ReleaseAsync(Holder, Holder); // it has ended, perhaps in mid-press
        }
        finally
        {
            _turn.Release();
        }
    }
}
