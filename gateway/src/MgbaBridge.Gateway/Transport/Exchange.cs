using System.Diagnostics;
using System.Threading.Tasks.Sources;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Transport;

/// <summary>
/// One request and its reply, over as many attempts as it takes: the awaitable that the caller waits on. Pooled; it goes back when its
/// result is taken, so an exchange costs no allocation.
/// </summary>
/// <remarks>
/// Who may complete it: whoever took it out of its holder. The holder's own lock decides, so there is exactly one. A caller that leaves
/// sets <see cref="CallerLeft"/> and tries the holder; whoever puts it into a holder looks at <see cref="CallerLeft"/> afterwards, and at
/// nothing else: by then it may be over and somebody else's.
/// </remarks>
public abstract class Exchange : IValueTaskSource<Reply>, IThreadPoolWorkItem
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

    /// <summary>The command's row.</summary>
    public abstract CommandDescriptor Descriptor { get; }

    /// <summary>Which connections may carry it.</summary>
    public abstract RequestClass RequestClass { get; }

    /// <summary>When it was asked for.</summary>
    public long StartedAt { get; private set; }

    /// <summary>When it is too late.</summary>
    public long Deadline { get; private set; }

    /// <summary>What the caller said besides the command.</summary>
    public RequestOptions Options { get; private set; }

    /// <summary>The caller's token, for the pauses between attempts.</summary>
    public CancellationToken Caller => _caller;

    /// <summary>Whether bytes of it may have left in some attempt.</summary>
    public bool MayHaveLeft { get; internal set; }

    /// <summary>Whether it was sent more than once.</summary>
    internal bool WasResent { get; set; }

    /// <summary>The session's incarnation when it was first sent.</summary>
    internal int Incarnation { get; set; }

    /// <summary>The epoch when it was first sent.</summary>
    internal uint FirstEpoch { get; set; }

    /// <summary>When it has waited long enough for a free place.</summary>
    internal long WaitDeadline { get; set; }

    /// <summary>Hello and ping: neither silence nor a deadline ends them.</summary>
    internal bool ExemptFromTimeout { get; set; }

    /// <summary>Nobody awaits it: ping and cancel.</summary>
    internal bool Unattended { get; set; }

    /// <summary>Its span, when somebody listens.</summary>
    internal Activity? Span { get; set; }

    internal bool CallerLeft => _callerLeft;

    internal Exchange? Older { get; set; }

    internal Exchange? Newer { get; set; }

    internal Exchange? Ahead { get; set; }

    internal Exchange? Behind { get; set; }

    internal abstract long? TailLength { get; }

    /// <summary>How an older script is asked for it, or null when it cannot be.</summary>
    internal abstract LegacyFormat? LegacyFormat { get; }

    /// <summary>Writes the whole message and returns the length of its head.</summary>
    internal abstract int WriteTo(SendBuffer buffer, long acknowledged, uint? epoch);

    /// <summary>What the caller awaits.</summary>
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

    /// <summary>Says where it is now. The holder calls this inside its lock.</summary>
    internal void HeldBy(IExchangeHolder? holder) => Volatile.Write(ref _holder, holder);

    /// <summary>From now on attempts end in the returned task instead of at the caller.</summary>
    internal Task<Reply> NextAttempt()
    {
        _attempt = new TaskCompletionSource<Reply>(TaskCreationOptions.RunContinuationsAsynchronously);
        return _attempt.Task;
    }

    /// <summary>An attempt is over, with a reply or a failure. A failure may be tried again.</summary>
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

    /// <summary>As <see cref="EndAttempt(Reply)"/>, on another thread: the caller of this has more to do.</summary>
    internal void EndAttemptElsewhere(Reply reply)
    {
        _reply = reply;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    void IThreadPoolWorkItem.Execute()
    {
        var reply = _reply!;
        _reply = null;
        EndAttempt(reply);
    }

    /// <summary>An attempt is over because the caller left.</summary>
    internal void EndLeft()
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

    /// <summary>It is over for good.</summary>
    internal void Complete(Reply reply)
    {
        _session!.End(this);
        GatewayTracing.End(Span, reply.Failure?.Rule.Name ?? "ok", reply.Frame, reply.Failure?.Detail);
        _events?.Ended(this, reply.Failure);
        if (Unattended)
        {
            reply.Dispose();
            Recycle();
            return;
        }

        _core.SetResult(reply);
    }

    /// <summary>It is over because the caller left. Whatever arrives later is dropped.</summary>
    internal void CompleteLeft()
    {
        _session!.End(this);
        GatewayTracing.End(Span, "left", 0, null);
        _core.SetException(new OperationCanceledException(_caller));
    }

    Reply IValueTaskSource<Reply>.GetResult(short token)
    {
        // a wrong token must not recycle somebody else's exchange
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
        // waits for a Leave that runs right now, so that it cannot reach the next user of this object
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

/// <summary>Where an exchange is while nobody works on it: in a connection's table or in a queue. Exactly one place has it at a time.</summary>
internal interface IExchangeHolder
{
    /// <summary>Gives the exchange up because its caller left. False if it is not here any more; the id tells one life of a pooled
    /// exchange from the next.</summary>
    bool TryRelease(Exchange exchange, long id);
}

/// <summary>What the owner of exchanges wants to know.</summary>
/// <param name="AttemptFailed">An attempt failed. True means that the owner takes the exchange over and will complete it.</param>
/// <param name="Ended">An exchange is over; null for success.</param>
public sealed record ExchangeEvents(Func<Exchange, Reply, bool> AttemptFailed, Action<Exchange, FailureReport?> Ended);
