namespace MgbaBridge.Gateway.Operations.Votes;

/// <summary>Voters whose ballots are refused, for some time or until they are unblocked.</summary>
/// <param name="time">The clock.</param>
internal sealed class BlockedVoters(TimeProvider time)
{
    /// <summary>How many may be blocked.</summary>
    public const int Max = 1_000;

    private readonly Dictionary<string, (string Name, long Began, TimeSpan? Length)> _blocked = new(StringComparer.OrdinalIgnoreCase);
    private readonly Lock _gate = new();

    /// <summary>All, in the order of their names.</summary>
    public IReadOnlyList<VoterAnswer> All
    {
        get
        {
            lock (_gate)
            {
                Forget();
                return [.. _blocked.Values.OrderBy(static voter => voter.Name, StringComparer.OrdinalIgnoreCase).Select(AnswerOf)];
            }
        }
    }

    /// <summary>The voter, or null when the ballots are taken.</summary>
    public VoterAnswer? Find(string name)
    {
        lock (_gate)
        {
            return _blocked.TryGetValue(name, out var voter) && !IsOver(voter) ? AnswerOf(voter) : null;
        }
    }

    /// <summary>Refuses the ballots of a voter from now on. Null when as many are blocked as may.</summary>
    public VoterAnswer? Block(string name, TimeSpan? length)
    {
        lock (_gate)
        {
            Forget();
            if (_blocked.Count >= Max && !_blocked.ContainsKey(name))
            {
                return null;
            }

            _blocked[name] = (name, time.GetTimestamp(), length);
            return new VoterAnswer(name, length?.TotalSeconds);
        }
    }

    /// <summary>Takes the ballots of a voter again. Null when they were taken already.</summary>
    public VoterAnswer? Unblock(string name)
    {
        lock (_gate)
        {
            return _blocked.Remove(name, out var voter) && !IsOver(voter) ? AnswerOf(voter) : null;
        }
    }

    private bool IsOver((string Name, long Began, TimeSpan? Length) voter) => voter.Length is { } length && time.GetElapsedTime(voter.Began) >= length;

    private VoterAnswer AnswerOf((string Name, long Began, TimeSpan? Length) voter) =>
        new(voter.Name, voter.Length is { } length ? Math.Round((length - time.GetElapsedTime(voter.Began)).TotalSeconds, 1) : null);

    private void Forget()
    {
        foreach (var voter in _blocked.Values.Where(IsOver).ToArray())
        {
            _blocked.Remove(voter.Name);
        }
    }
}
