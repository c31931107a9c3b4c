namespace MgbaBridge.Client.Buffers;

/// <summary>
/// Gives memory back to the system after much of it was in use. .NET collects when a program allocates; a gateway that nobody asks any more allocates
/// nothing, and would keep what it once needed.
/// </summary>
internal sealed class MemoryReturn : IDisposable
{
    // the pools of .NET release what they keep one after another, and only a later collection returns it
    private static readonly TimeSpan[] Pauses = [TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(30), TimeSpan.FromMinutes(5)];

    private readonly Action _collect;
    private readonly Lock _gate = new();
    private readonly ITimer _timer;
    private int _collected;

    /// <summary>Collects nothing yet.</summary>
    public MemoryReturn(TimeProvider time)
        : this(time, static () => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true))
    {
    }

    /// <summary>The same with what is to be done in place of a collection.</summary>
    internal MemoryReturn(TimeProvider time, Action collect)
    {
        _collect = collect;
        _timer = time.CreateTimer(static self => ((MemoryReturn)self!).Collect(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Much memory was in use until now: its collections begin, anew if they have begun before.</summary>
    public void Begin()
    {
        lock (_gate)
        {
            _collected = 0;
            Wait();
        }
    }

    public void Dispose() => _timer.Dispose();

    private void Collect()
    {
        lock (_gate)
        {
            _collected++;
            if (_collected < Pauses.Length)
            {
                Wait();
            }
        }

        _collect();
    }

    private void Wait() => _timer.Change(Pauses[_collected], Timeout.InfiniteTimeSpan);
}
