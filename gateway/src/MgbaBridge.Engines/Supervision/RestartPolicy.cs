namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// How long to wait before a restart, and from which state. The first restart happens at once; if the emulator does not stay up, each further
/// one waits twice as long and uses an older state, since the newest may be of a moment just before a hang.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class RestartPolicy(TimeProvider time)
{
    /// <summary>How long an emulator must answer for its next fault to count as a new one.</summary>
    public static readonly TimeSpan StableAfter = TimeSpan.FromSeconds(3);

    private const int MaxUses = 10;

    // what a core needs to fail again is well below a second; half a minute is short for a person, and costs a machine nothing
    private static readonly TimeSpan BackOff = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan MaxBackOff = TimeSpan.FromSeconds(30);

    private readonly Dictionary<string, int> _uses = [];
    private int _failures;
    private long _answeredAt;
    private bool _answered;

    /// <summary>The emulator answers.</summary>
    public void Answered() => (_answered, _answeredAt) = (true, time.GetTimestamp());

    /// <summary>The emulator failed. Returns how long to wait.</summary>
    public TimeSpan Failed()
    {
        _failures = _answered && time.GetElapsedTime(_answeredAt) >= StableAfter ? 1 : _failures + 1;
        _answered = false;
        return _failures == 1 ? TimeSpan.Zero
            : TimeSpan.FromTicks((long)Math.Min(BackOff.Ticks * Math.Pow(2, _failures - 2), MaxBackOff.Ticks));
    }

    /// <summary>The states to try, best first, out of those there are, newest first.</summary>
    public IEnumerable<StoredState> Candidates(IReadOnlyList<StoredState> newestFirst) =>
        newestFirst.Where(state => _uses.GetValueOrDefault(state.Name) < MaxUses).Skip(Math.Max(0, _failures - 2));

    /// <summary>The emulator continued from a state.</summary>
    public void Used(StoredState state) => _uses[state.Name] = _uses.GetValueOrDefault(state.Name) + 1;

    /// <summary>A new state was taken: forget the uses of those that are gone.</summary>
    public void Forget(IReadOnlyList<StoredState> kept)
    {
        foreach (var name in _uses.Keys.Except(kept.Select(state => state.Name)).ToArray())
        {
            _uses.Remove(name);
        }
    }
}
