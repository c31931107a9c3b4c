using System.Diagnostics;
using System.Threading.Tasks.Sources;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// One request and its reply over all attempts: the awaitable of the caller. Pooled: it returns to the pool when its result is
/// read, so an exchange costs no allocation.
/// </summary>
/// <remarks>
/// Only the code that removed the exchange from its holder may complete it. The holder's lock makes this unique. A caller that leaves is
/// noted and tries to remove it from the holder. Code that adds the exchange to a holder calls <see cref="EndIfCallerLeft"/>
/// afterwards and no other member: the exchange may have completed and be in use again by then.
/// </remarks>
internal abstract class Exchange : IValueTaskSource<Reply>, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<Reply> _core;
    private CancellationTokenRegistration _leaving;
    private CancellationToken _caller;
    private TaskCompletionSource<Reply>? _attempt;
    private Reply? _reply;
    private Session? _session;
    private ExchangeEvents? _events;
    private IExchangeHolder? _holder;
    private volatile bool _callerLeft;

    /// <summary>The request's id, the same in every attempt.</summary>
    public long Id { get; internal set; }

    /// <summary>The command's descriptor.</summary>
    public abstract CommandDescriptor Descriptor { get; }

    /// <summary>The class that selects its connections.</summary>
    public abstract RequestClass RequestClass { get; }

    /// <summary>When the caller sent it.</summary>
    public long StartedAt { get; private set; }

    /// <summary>The deadline.</summary>
    public long Deadline { get; private set; }

    /// <summary>The options of the caller.</summary>
    public RequestOptions Options { get; private set; }

    /// <summary>The caller's token, for the pauses between attempts.</summary>
    public CancellationToken Caller => _caller;

    /// <summary>Whether some attempt may have sent bytes of it.</summary>
    public bool MayHaveLeft { get; internal set; }

    /// <summary>Whether it was sent more than once.</summary>
    internal bool WasResent { get; set; }

    /// <summary>The session's incarnation when it was first sent.</summary>
    internal int Incarnation { get; set; }

    /// <summary>The epoch when it was first sent.</summary>
    internal Epoch FirstEpoch { get; set; }

    /// <summary>When waiting for capacity times out.</summary>
    internal long WaitDeadline { get; set; }

    /// <summary>Neither silence nor the deadline ends it: hello, heartbeats and cancellations.</summary>
    internal bool ExemptFromTimeout { get; set; }

    /// <summary>No caller awaits it: heartbeats and cancellations.</summary>
    internal bool Unattended { get; set; }

    /// <summary>Its span, or null without a listener.</summary>
    internal Activity? Span { get; set; }

    internal Exchange? Older { get; set; }

    internal Exchange? Newer { get; set; }

    internal Exchange? Ahead { get; set; }

    internal Exchange? Behind { get; set; }

    internal abstract long? TailLength { get; }

    /// <summary>Writes the message and returns the length of its head.</summary>
    internal abstract int WriteTo(SendBuffer buffer, long acknowledged, Epoch? epoch);

    /// <summary>The awaitable for the caller.</summary>
    internal ValueTask<Reply> Awaitable => new(this, _core.Version);

    internal static TExchange Prepare<TExchange>(
        TExchange exchange, Session session, ExchangeEvents? events, in RequestOptions options, long startedAt, long deadline, CancellationToken caller)
        where TExchange : Exchange
    {
        exchange._session = session;
        exchange._events = events;
        exchange.Options = options;
        exchange.StartedAt = startedAt;
        exchange.Deadline = deadline;
        exchange._caller = caller;
        session.Begin(exchange);
        if (caller.CanBeCanceled)
        {
            exchange._leaving = caller.UnsafeRegister(static state => ((Exchange)state!).Leave(), exchange);
        }

        return exchange;
    }

    /// <summary>Sets the holder. The holder calls this inside its lock.</summary>
    internal void HeldBy(IExchangeHolder? holder) => Volatile.Write(ref _holder, holder);

    /// <summary>The next attempt completes the returned task instead of the caller's awaitable.</summary>
    internal Task<Reply> NextAttempt()
    {
        _attempt = new TaskCompletionSource<Reply>(TaskCreationOptions.RunContinuationsAsynchronously);
        return _attempt.Task;
    }

    /// <summary>Ends an attempt with a reply or a failure. A failure may be retried.</summary>
    internal void EndAttempt(Reply reply)
    {
        if (_attempt is { } attempt)
        {
            attempt.SetResult(reply);
        }
        else if (reply.Failure is null || Unattended || _events?.AttemptFailed(this, reply) != true)
        {
            Complete(reply);
        }
    }

    /// <summary>As <see cref="EndAttempt(Reply)"/>, on another thread.</summary>
    internal void EndAttemptElsewhere(Reply reply)
    {
        _reply = reply;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_reply is { } reply)
        {
            _reply = null;
            EndAttempt(reply);
        }
        else
        {
            EndLeft();
        }
    }

    /// <summary>Ends an attempt whose caller left while <paramref name="holder"/> took it, on another thread.</summary>
    internal void EndIfCallerLeft(IExchangeHolder holder, long id)
    {
        if (_callerLeft && holder.TryRelease(this, id))
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    private void EndLeft()
    {
        if (_attempt is { } attempt)
        {
            attempt.SetCanceled(_caller);
        }
        else
        {
            CompleteLeft();
        }
    }

    /// <summary>Completes the exchange.</summary>
    internal void Complete(Reply reply)
    {
        _session!.End(this);
        ClientTracing.End(Span, reply.Failure?.Rule.Name ?? "ok", reply.Frame, reply.Failure?.Detail);
        _events?.Ended(this, reply.Failure);
        if (Unattended)
        {
            reply.Dispose();
            Recycle();
            return;
        }

        _core.SetResult(reply);
    }

    /// <summary>Completes the exchange because the caller left. A later reply is dropped.</summary>
    internal void CompleteLeft()
    {
        _session!.End(this);
        ClientTracing.End(Span, "left", 0, null);
        _core.SetException(new OperationCanceledException(_caller));
    }

    Reply IValueTaskSource<Reply>.GetResult(short token)
    {
        // a wrong token must not return another caller's exchange to the pool
        if (token != _core.Version)
        {
            return _core.GetResult(token);
        }

        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            Recycle();
        }
    }

    ValueTaskSourceStatus IValueTaskSource<Reply>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<Reply>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    /// <summary>Drops the command and returns to the pool.</summary>
    private protected abstract void GiveBack();

    private void Leave()
    {
        _callerLeft = true;
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _holder)?.TryRelease(this, Id) == true)
        {
            EndLeft();
        }
    }

    private void Recycle()
    {
        // waits for a running Leave, which must not affect the next use of this object
        _leaving.Dispose();
        _leaving = default;
        _caller = default;
        _callerLeft = false;
        _attempt = null;
        _session = null;
        _events = null;
        _holder = null;
        MayHaveLeft = false;
        WasResent = false;
        ExemptFromTimeout = false;
        Unattended = false;
        Span = null;
        Options = default;
        _core.Reset();
        GiveBack();
    }
}

/// <summary>The place of an exchange that is not being processed: a connection's pending requests or a queue. An exchange has one holder at a time.</summary>
internal interface IExchangeHolder
{
    /// <summary>Removes the exchange because its caller left. False if it is no longer here. The id distinguishes the uses of a pooled
    /// exchange.</summary>
    bool TryRelease(Exchange exchange, long id);
}

/// <summary>The callbacks of the owner of exchanges.</summary>
/// <param name="AttemptFailed">An attempt failed. True means that the owner takes the exchange over and will complete it.</param>
/// <param name="Ended">An exchange has completed; null for success.</param>
internal sealed record ExchangeEvents(Func<Exchange, Reply, bool> AttemptFailed, Action<Exchange, CommandFailure?> Ended);
