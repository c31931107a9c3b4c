namespace MgbaBridge.Gateway.Operations.Votes;

/// <summary>Counts the ballots of a vote, and knows who may vote now. Not for several threads at once.</summary>
/// <param name="choices">How many choices there are.</param>
/// <param name="isOneEach">Whether a voter has one ballot in a round.</param>
/// <param name="cooldown">How long a voter waits from one ballot to the next.</param>
/// <param name="time">The clock.</param>
internal sealed class Tally(int choices, bool isOneEach, TimeSpan cooldown, TimeProvider time)
{
    /// <summary>The most ballots of one voter that are counted in a second.</summary>
    public const int MaxOfVoter = 10;

    /// <summary>The most ballots of all voters that are counted in a second.</summary>
    public const int MaxOfAll = 5_000;

    /// <summary>How many voters are remembered.</summary>
    public const int MaxVoters = 20_000;

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, Voter> _voters = new(StringComparer.OrdinalIgnoreCase);
    private readonly long[] _ballots = new long[choices];
    private readonly long[] _reached = new long[choices]; // the number of the ballot with which a choice had as many as now
    private Window _all;

    /// <summary>The number of the round, from 1.</summary>
    public int Round { get; private set; } = 1;

    /// <summary>How many ballots were counted in this round.</summary>
    public long Ballots { get; private set; }

    /// <summary>How many voters they came from.</summary>
    public int Voters { get; private set; }

    /// <summary>The choice with the most ballots, of several the one that had them first; null without ballots.</summary>
    public int? Leader => Ballots == 0 ? null : Enumerable.Range(0, _ballots.Length).OrderByDescending(choice => _ballots[choice]).ThenBy(choice => _reached[choice]).First();

    /// <summary>How many ballots of this round a choice has.</summary>
    public long Of(int choice) => _ballots[choice];

    /// <summary>Counts a ballot, or says why not.</summary>
    public Failure? Cast(string name, int choice)
    {
        var now = time.GetTimestamp();
        if (!_voters.TryGetValue(name, out var voter))
        {
            Forget(now);
            if (_voters.Count >= MaxVoters)
            {
                return TooMany($"{MaxVoters} voters have voted, and a vote remembers no more.");
            }

            voter = new Voter();
        }
        else if (isOneEach && voter.Round == Round)
        {
            return new Failure(FailureKind.AlreadyVoted, $"{name} has voted in this round.");
        }
        else if (time.GetElapsedTime(voter.Last, now) is var since && since < cooldown)
        {
            return TooMany(FormattableString.Invariant($"{name} may vote again in {(cooldown - since).TotalSeconds:0.0} s."));
        }

        if (!voter.Own.HasRoom(MaxOfVoter, now, time))
        {
            return TooMany($"{name} has cast {MaxOfVoter} ballots within a second, and no more are counted.");
        }

        if (!_all.HasRoom(MaxOfAll, now, time))
        {
            return TooMany($"{MaxOfAll} ballots were cast within a second, and no more are counted.");
        }

        Voters += voter.Round == Round ? 0 : 1;
        (voter.Round, voter.Last) = (Round, now);
        voter.Own.Count++;
        _all.Count++;
        _voters[name] = voter;
        _ballots[choice]++;
        _reached[choice] = ++Ballots;
        return null;
    }

    /// <summary>Begins the next round.</summary>
    public void BeginRound()
    {
        (Round, Ballots, Voters) = (Round + 1, 0, 0);
        Array.Clear(_ballots);
    }

    // those for whom it makes no difference any more
    private void Forget(long now)
    {
        if (_voters.Count < MaxVoters)
        {
            return;
        }

        var kept = cooldown > Second ? cooldown : Second;
        foreach (var name in _voters.Where(voter => (!isOneEach || voter.Value.Round != Round) && time.GetElapsedTime(voter.Value.Last, now) > kept).Select(voter => voter.Key).ToArray())
        {
            _voters.Remove(name);
        }
    }

    private static Failure TooMany(string detail) => new(FailureKind.TooManyRequests, detail);

    private sealed class Voter
    {
        public Window Own;

        public int Round { get; set; }

        public long Last { get; set; }
    }

    // counts within one second after the other
    private struct Window
    {
        private long _began;

        public int Count { get; set; }

        public bool HasRoom(int max, long now, TimeProvider time)
        {
            if (Count == 0 || time.GetElapsedTime(_began, now) >= Second)
            {
                (_began, Count) = (now, 0);
            }

            return Count < max;
        }
    }
}
