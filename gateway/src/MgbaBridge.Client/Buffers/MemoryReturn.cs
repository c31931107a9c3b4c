namespace MgbaBridge.Client.Buffers;

/// <summary>
/// Gives memory back to the system after much of it was in use. .NET collects when a program allocates; a gateway that nobody asks any more allocates
/// nothing, and would keep what it once needed.
/// </summary>
internal sealed class MemoryReturn(TimeProvider time)
{
    // the pool of arrays lets go what it still has at a second collection
    private static readonly TimeSpan[] Pauses = [TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(30)];

    private int _begun;

    /// <summary>Begins to, unless it has begun already.</summary>
    public void Begin()
    {
        if (Interlocked.Exchange(ref _begun, 1) == 0)
        {
            _ = RunAsync();
        }
    }

    private async Task RunAsync()
    {
        foreach (var pause in Pauses)
        {
            await Task.Delay(pause, time);
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        }

        Volatile.Write(ref _begun, 0);
    }
}
