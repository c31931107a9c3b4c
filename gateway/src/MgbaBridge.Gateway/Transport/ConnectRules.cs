using MgbaBridge.Gateway.Commands;
using Polly;
using Polly.CircuitBreaker;
using Polly.Retry;

namespace MgbaBridge.Gateway.Transport;

/// <summary>How the pool goes on trying to connect: pauses that grow with jitter, and a breaker that says when to stop keeping callers waiting.</summary>
internal sealed class ConnectRules
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan ProbeEvery = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan Remembered = TimeSpan.FromSeconds(5);

    private readonly ResiliencePipeline<OpenOutcome> _pipeline;

    public ConnectRules(TransportOptions options, TimeProvider time, Action givenUp)
    {
        var failed = new PredicateBuilder<OpenOutcome>().HandleResult(outcome => outcome.Failure is not null);
        _pipeline = new ResiliencePipelineBuilder<OpenOutcome> { TimeProvider = time }
            .AddRetry(new RetryStrategyOptions<OpenOutcome>
            {
                ShouldHandle = failed.Handle<BrokenCircuitException>(),
                MaxRetryAttempts = int.MaxValue,
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = FirstPause,
                MaxDelay = options.MaxConnectDelay,
            })
            .AddCircuitBreaker(new CircuitBreakerStrategyOptions<OpenOutcome>
            {
                ShouldHandle = new PredicateBuilder<OpenOutcome>().HandleResult(outcome => outcome.Failure is not null),
                FailureRatio = 0.5,
                MinimumThroughput = 3,
                SamplingDuration = Remembered,
                BreakDuration = ProbeEvery,
                OnOpened = _ =>
                {
                    givenUp();
                    return default;
                },
            })
            .Build();
    }

    /// <summary>Tries until a connection is open.</summary>
    public ValueTask<OpenOutcome> OpenAsync(Func<CancellationToken, ValueTask<OpenOutcome>> attempt, CancellationToken cancellationToken) =>
        _pipeline.ExecuteAsync(static (attempt, token) => attempt(token), attempt, cancellationToken);

    /// <summary>Whether trying again in a moment cannot help: somebody has to do something first.</summary>
    public static bool IsHopeless(FailureReport failure) =>
        failure.Failure is Failure.NotOurs or Failure.WrongVersion or Failure.Rejected;
}
