using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>The emulator goes and comes, and callers get answers all the while.</summary>
[Collection(nameof(Alone))]
public sealed class RestartTests
{
    private const int Restarts = 20;
    private const int ARequestEvery = 20;
    private const int RequestsInAWhile = 30_000 / ARequestEvery;

    // ten times the RequestTimeout: the test machine has other work
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(30);

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Emulator_KilledAndStartedTwentyTimes_UnderFiftyRequestsASecond_CostsProblemsInTime()
    {
        var emulator = await HeadlessEmulator.StartAsync(Clients.FreePort());
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Transport:RequestTimeout", "00:00:03"));
        await using var load = new SteadyLoad(gateway.Client);
        for (var restart = 0; restart < Restarts; restart++)
        {
            await load.AnswersAsync(10, HttpStatusCode.OK);
            await emulator.KillAsync();
            await load.AnswersAsync(5, HttpStatusCode.ServiceUnavailable);
            var again = await HeadlessEmulator.StartAsync(emulator.Port);
            await emulator.DisposeAsync();
            emulator = again;
            // the port is open: what is asked a while later is answered
            var asked = load.Asked;
            await load.AnswersAsync(1, HttpStatusCode.OK);
            Assert.InRange(load.FirstOkSince(asked) - asked, 0, RequestsInAWhile);
        }

        await load.StopAsync();
        await emulator.DisposeAsync();
        Assert.All(load.Answers, answer => Assert.Contains(answer.Status, new[] { HttpStatusCode.OK, HttpStatusCode.ServiceUnavailable, HttpStatusCode.BadGateway }));
        Assert.All(load.Answers, answer => Assert.InRange(answer.Took, TimeSpan.Zero, Deadline));
        Assert.Equal(load.Asked, load.Answers.Count);
    }

    /// <summary>Sends requests at a steady rate, whether responses arrive or not.</summary>
    private sealed class SteadyLoad : IAsyncDisposable
    {
        private readonly HttpClient _client;
        private readonly CancellationTokenSource _enough = new();
        private readonly Task _asking;
        private int _asked;

        public SteadyLoad(HttpClient client)
        {
            _client = client;
            _asking = RequestAsync();
        }

        public ConcurrentQueue<Answer> Answers { get; } = [];

        public int Asked => Volatile.Read(ref _asked);

        public Task AnswersAsync(int count, HttpStatusCode status)
        {
            var from = _asked;
            return Eventually.Is(() => Answers.Count(answer => answer.Number > from && answer.Status == status) >= count);
        }

        public int FirstOkSince(int number) => Answers.Where(answer => answer.Number > number && answer.Status == HttpStatusCode.OK).Min(answer => answer.Number);

        public async Task StopAsync()
        {
            await _enough.CancelAsync();
            await _asking;
        }

        public async ValueTask DisposeAsync()
        {
            await StopAsync();
            _enough.Dispose();
        }

        private async Task RequestAsync()
        {
            var all = new List<Task>();
            using var ticks = new PeriodicTimer(TimeSpan.FromMilliseconds(ARequestEvery));
            try
            {
                while (await ticks.WaitForNextTickAsync(_enough.Token))
                {
                    all.Add(AskOnceAsync(++_asked));
                }
            }
            catch (OperationCanceledException)
            {
                // enough
            }

            await Task.WhenAll(all);
        }

        private async Task AskOnceAsync(int number)
        {
            var since = Stopwatch.GetTimestamp();
            using var answer = await _client.GetAsync(new Uri("/v2/memory/0x02000008/u32", UriKind.Relative), Cancelled);
            Answers.Enqueue(new Answer(number, answer.StatusCode, Stopwatch.GetElapsedTime(since)));
        }
    }

    private sealed record Answer(int Number, HttpStatusCode Status, TimeSpan Took);
}
