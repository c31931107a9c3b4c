using Polly;
using Polly.Retry;

namespace MgbaBridge.Gateway.Benchmarks.Designs;

/// <summary>Retries failed requests, as versions 6 and 7 of the original did. Each attempt has its own timeout.</summary>
internal sealed class RetryingClient(IBaselineClient client) : IBaselineClient
{
    private static readonly TimeSpan AttemptTimeout = TimeSpan.FromSeconds(1);

    private readonly ResiliencePipeline _pipeline = new ResiliencePipelineBuilder()
        .AddRetry(new RetryStrategyOptions
        {
            MaxRetryAttempts = 5,
            BackoffType = DelayBackoffType.Exponential,
            UseJitter = true,
            Delay = TimeSpan.FromMilliseconds(20),
            ShouldHandle = new PredicateBuilder().Handle<Exception>(),
        })
        .AddTimeout(AttemptTimeout)
        .Build();

    public Task<byte[]> SendAsync(ReadOnlyMemory<byte> message, CancellationToken cancel) =>
        _pipeline.ExecuteAsync(async token => await client.SendAsync(message, token), cancel).AsTask();
}
