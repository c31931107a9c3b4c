using System.Collections.Concurrent;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class SendSchedulerTests
{
    [Fact]
    public async Task Work_HandedInFromManyThreads_IsEachDoneOnceAndInOrder()
    {
        using var scheduler = SendScheduler.TryCreate()!;
        var done = new ConcurrentQueue<(int Thread, int Number)>();
        var threads = Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            for (var number = 0; number < 2_000; number++)
            {
                var work = (thread, number);
                Assert.True(scheduler.TrySchedule(new Work(() => done.Enqueue(work))));
            }
        })).ToArray();
        await Task.WhenAll(threads);
        await Eventually.Is(() => done.Count >= 8_000);
        Assert.Equal(8_000, done.Count);
        foreach (var thread in done.GroupBy(work => work.Thread))
        {
            Assert.Equal(Enumerable.Range(0, 2_000), thread.Select(work => work.Number));
        }
    }

    [Fact]
    public async Task Work_ThatHandsInMore_IsFollowedByIt()
    {
        using var scheduler = SendScheduler.TryCreate()!;
        var left = 100;
        var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Work again = null!;
        again = new Work(() =>
        {
            if (--left == 0)
            {
                end.SetResult();
            }
            else
            {
                scheduler.TrySchedule(again);
            }
        });
        Assert.True(scheduler.TrySchedule(again));
        await end.Task;
    }

    [Fact]
    public async Task Work_AfterTheEnd_IsLeftToTheCallerAndWhatWaitedIsDone()
    {
        var scheduler = SendScheduler.TryCreate()!;
        var (accepted, done) = (0, 0);
        var handing = Task.Run(
            () =>
            {
                while (scheduler.TrySchedule(new Work(() => Interlocked.Increment(ref done))))
                {
                    accepted++;
                }
            },
            TestContext.Current.CancellationToken);
        await Eventually.Is(() => Volatile.Read(ref done) > 100);
        scheduler.Dispose();
        await handing;
        await Eventually.Is(() => Volatile.Read(ref done) >= accepted);
        Assert.Equal(accepted, done);
    }

    private sealed class Work(Action action) : IThreadPoolWorkItem
    {
        public void Execute() => action();
    }
}
