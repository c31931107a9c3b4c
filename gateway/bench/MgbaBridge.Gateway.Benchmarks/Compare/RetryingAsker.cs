using Polly;
using Polly.Retry;

namespace MgbaBridge.Gateway.Benchmarks.Compare;

/// <summary>Asks again what failed, as the original's versions 6 and 7, each attempt with a time-out of its own.</summary>
internal sealed class RetryingAsker(IPlainAsker asker) : IPlainAsker
{
    private static readonly TimeSpan EachAttempt = TimeSpan.FromSeconds(1);

    private readonly ResiliencePipeline _pipeline = new ResiliencePipelineBuilder()
        .AddRetry(new RetryStrategyOptions
        {
            MaxRetryAttempts = 5,
            BackoffType = DelayBackoffType.Exponential,
            UseJitter = true,
            Delay = TimeSpan.FromMilliseconds(20),
            ShouldHandle = new PredicateBuilder().Handle<Exception>(),
        })
        .AddTimeout(EachAttempt)
        .Build();

    public Task<byte[]> AskAsync(ReadOnlyMemory<byte> message, CancellationToken cancel) =>
        _pipeline.ExecuteAsync(async token => await asker.AskAsync(message, token), cancel).AsTask();
}
