using MgbaBridge.Client.Buffers;
using Microsoft.Extensions.Time.Testing;

namespace MgbaBridge.Gateway.Tests.Buffers;

public sealed class MemoryReturnTests
{
    [Fact]
    public void Memory_UsedUntilNow_IsCollectedSoonAndLaterAgain()
    {
        var (time, collected) = (new FakeTimeProvider(), 0);
        using var memory = new MemoryReturn(time, () => collected++);
        memory.Begin();
        Assert.Equal([0, 1, 1, 2, 2, 3, 3], Counts(4, 1, 29, 1, 299, 1, 3600));

        int[] Counts(params int[] seconds) => [.. seconds.Select(pause =>
        {
            time.Advance(TimeSpan.FromSeconds(pause));
            return collected;
        })];
    }

    /// <summary>Otherwise what was used after the first collections would stay until the last one.</summary>
    [Fact]
    public void Memory_UsedAgainMeanwhile_IsCollectedAsSoon()
    {
        var (time, collected) = (new FakeTimeProvider(), 0);
        using var memory = new MemoryReturn(time, () => collected++);
        memory.Begin();
        time.Advance(TimeSpan.FromSeconds(60));
        var before = collected;
        memory.Begin();
        time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(before + 1, collected);
    }
}
