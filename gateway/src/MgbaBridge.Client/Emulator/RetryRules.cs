using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Transport;
using Polly;
using Polly.Retry;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// When a request is sent again. The first attempt is made without Polly, which allocates for each request; its failure is the first outcome that the
/// pipeline handles.
/// </summary>
internal sealed class RetryRules
{
    private static readonly TimeSpan BasePause = TimeSpan.FromMilliseconds(8);
    private static readonly TimeSpan MaxPause = TimeSpan.FromMilliseconds(250);
    private static readonly ResiliencePropertyKey<Exchange> ExchangeKey = new("exchange");

    private readonly TransportOptions _options;
    private readonly MonotonicClock _clock;
    private readonly ResiliencePipeline<Reply> _pipeline;

    public RetryRules(TransportOptions options, MonotonicClock clock)
    {
        (_options, _clock) = (options, clock);
        _pipeline = new ResiliencePipelineBuilder<Reply> { TimeProvider = clock.Time }
            .AddRetry(new RetryStrategyOptions<Reply>
            {
                ShouldHandle = args => ValueTask.FromResult(
                    args.Outcome.Result is { } reply && MayTryAgain(args.Context.Properties.GetValue(ExchangeKey, null!), reply)),
                MaxRetryAttempts = Math.Max(1, options.MaxAttempts - 1),
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = BasePause,
                MaxDelay = MaxPause,
                DelayGenerator = static args => ValueTask.FromResult<TimeSpan?>(args.AttemptNumber == 0 ? TimeSpan.Zero : null), // at once, then as above
            })
            .Build();
    }

    /// <summary>Whether another attempt may be made.</summary>
    public bool MayTryAgain(Exchange exchange, Reply reply) =>
        _options.MaxAttempts > 1 && reply.Failure is { Rule.Retried: true } && _clock.Now < exchange.Deadline && !exchange.Caller.IsCancellationRequested;

    /// <summary>Makes the attempts after one that failed, each with the same exchange and therefore the same id. Polly disposes replies that are not returned.</summary>
    public async Task<Reply> TryAgainAsync(Exchange exchange, Reply failed, Func<Exchange, ValueTask<Reply>> attempt)
    {
        var context = ResilienceContextPool.Shared.Get(exchange.Caller);
        context.Properties.Set(ExchangeKey, exchange);
        var isFirst = true;
        try
        {
            return await _pipeline.ExecuteAsync(
                _ =>
                {
                    var outcome = isFirst ? ValueTask.FromResult(failed) : attempt(exchange);
                    isFirst = false;
                    return outcome;
                },
                context);
        }
        finally
        {
            ResilienceContextPool.Shared.Return(context);
        }
    }
}
