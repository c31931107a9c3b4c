using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Transport;
using Polly;
using Polly.Retry;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>
/// The attempts after the first one has failed. Polly is used only here, since it allocates.
/// </summary>
internal sealed class RetryRules
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(15);
    private static readonly TimeSpan MaxPause = TimeSpan.FromMilliseconds(250);
    private static readonly ResiliencePropertyKey<Exchange> ExchangeKey = new("exchange");

    private readonly TransportOptions _options;
    private readonly MonotonicClock _clock;

    // made at the first failure: compiling Polly's code would delay the first response of the gateway
    private readonly Lazy<ResiliencePipeline<Reply>> _pipeline;

    public RetryRules(TransportOptions options, MonotonicClock clock)
    {
        (_options, _clock) = (options, clock);
        _pipeline = new Lazy<ResiliencePipeline<Reply>>(BuildPipeline);
    }

    /// <summary>Whether another attempt may be made.</summary>
    public bool MayTryAgain(Exchange exchange, Reply reply) =>
        _options.MaxAttempts > 1 && reply.Failure is { Rule.Retried: true } && _clock.Now < exchange.Deadline && !exchange.Caller.IsCancellationRequested;

    /// <summary>Makes the further attempts, each with the same exchange and therefore the same id.</summary>
    public async Task<Reply> TryAgainAsync(Exchange exchange, Func<Exchange, ValueTask<Reply>> attempt)
    {
        var context = ResilienceContextPool.Shared.Get(exchange.Caller);
        context.Properties.Set(ExchangeKey, exchange);
        try
        {
            return await _pipeline.Value.ExecuteAsync(static (context, attempt) => attempt(context.Properties.GetValue(ExchangeKey, null!)), context, attempt);
        }
        finally
        {
            ResilienceContextPool.Shared.Return(context);
        }
    }

    // the first attempt is made outside: the pipeline's first one is the second
    private ResiliencePipeline<Reply> BuildPipeline() =>
        new ResiliencePipelineBuilder<Reply> { TimeProvider = _clock.Time }
            .AddRetry(new RetryStrategyOptions<Reply>
            {
                ShouldHandle = args => ValueTask.FromResult(
                    args.AttemptNumber < _options.MaxAttempts - 2
                    && args.Outcome.Result is { } reply
                    && MayTryAgain(args.Context.Properties.GetValue(ExchangeKey, null!), reply)),
                MaxRetryAttempts = _options.MaxAttempts,
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = FirstPause,
                MaxDelay = MaxPause,

                // no disposal here: Polly disposes the replies of failed attempts, and a second disposal would affect their next user
            })
            .Build();
}
