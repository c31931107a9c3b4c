using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Transport;
using Polly;
using Polly.Retry;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>
/// What happens after a first attempt failed. Off the path of success: Polly starts only here, where a kilobyte more does not matter.
/// </summary>
internal sealed class RetryRules
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(15);
    private static readonly TimeSpan MaxPause = TimeSpan.FromMilliseconds(250);
    private static readonly ResiliencePropertyKey<Exchange> ExchangeKey = new("exchange");

    private readonly ResiliencePipeline<Reply>? _pipeline;
    private readonly MonotonicClock _clock;

    public RetryRules(TransportOptions options, MonotonicClock clock)
    {
        _clock = clock;
        // the first attempt has been made already, and the pipeline's own first is the second
        _pipeline = options.MaxAttempts < 2 ? null : new ResiliencePipelineBuilder<Reply> { TimeProvider = clock.Time }
            .AddRetry(new RetryStrategyOptions<Reply>
            {
                ShouldHandle = args => ValueTask.FromResult(
                    args.AttemptNumber < options.MaxAttempts - 2
                    && args.Outcome.Result is { } reply
                    && MayTryAgain(args.Context.Properties.GetValue(ExchangeKey, null!), reply)),
                MaxRetryAttempts = options.MaxAttempts,
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = FirstPause,
                MaxDelay = MaxPause,

                // Polly disposes the replies that it tries again; a second time would take them from whoever has them then
            })
            .Build();
    }

    /// <summary>Whether another attempt is worth making.</summary>
    public bool MayTryAgain(Exchange exchange, Reply reply) =>
        _pipeline is not null && reply.Failure is { Rule.Retried: true } && _clock.Now < exchange.Deadline && !exchange.Caller.IsCancellationRequested;

    /// <summary>Makes the further attempts. The same exchange and so the same id travels each time.</summary>
    public async Task<Reply> TryAgainAsync(Exchange exchange, Func<Exchange, ValueTask<Reply>> attempt)
    {
        var context = ResilienceContextPool.Shared.Get(exchange.Caller);
        context.Properties.Set(ExchangeKey, exchange);
        try
        {
            return await _pipeline!.ExecuteAsync(static (context, attempt) => attempt(context.Properties.GetValue(ExchangeKey, null!)), context, attempt);
        }
        finally
        {
            ResilienceContextPool.Shared.Return(context);
        }
    }
}
