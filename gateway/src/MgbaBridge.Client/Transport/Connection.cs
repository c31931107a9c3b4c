using System.Buffers;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// One pipelined connection to a script. Requests are sent as they come and replies are matched by id. When the connection breaks, its pending
/// requests fail; it is not used again.
/// </summary>
internal sealed class Connection : IExchangeHolder, IAsyncDisposable
{
    private static readonly TimeSpan SweepInterval = TimeSpan.FromMilliseconds(25);

    private readonly Socket _socket;
    private readonly Session _session;
    private readonly TransportSettings _settings;
    private readonly MonotonicClock _clock;
    private readonly PendingRequests _pending = new();
    private readonly MessageSender _sender;
    private readonly MessageDispatcher _dispatcher;
    private readonly MessageReceiver _receiver;
    private readonly LivenessMonitor _liveness;
    private readonly RequestTimeouts _timeouts;
    private readonly Lock _sweeping = new();
    private ITimer? _sweep;
    private CommandFailure? _closing;
    private Task _receiving = Task.CompletedTask;
    private int _closed;
    private int _incarnation;

    public Connection(
        Socket socket, string address, Session session, TransportSettings settings, MonotonicClock clock, MemoryPool<byte> memory, ConnectionEvents events)
    {
        (_socket, _session, _settings, _clock) = (socket, session, settings, clock);
        (Address, Events, LastUsed) = (address, events, clock.Now);
        _timeouts = new RequestTimeouts(this, _pending, clock);
        _liveness = new LivenessMonitor(this, _pending, _timeouts, settings, clock);
        _dispatcher = new MessageDispatcher(this, _pending, settings);
        _receiver = new MessageReceiver(socket, address, _dispatcher, _liveness, memory);
        _sender = new MessageSender(socket, session, _pending, _receiver.HasUnreadBytes, reason => Close(FailureText.ConnectionLost(address, reason)));
    }

    /// <summary>The script's host and port.</summary>
    public string Address { get; }

    /// <summary>The script's reply to hello.</summary>
    public HelloReply Hello { get; private set; } = new();

    /// <summary>The callbacks of the connection's owner.</summary>
    public ConnectionEvents Events { get; private set; }

    /// <summary>Replies outstanding, including those whose request was abandoned.</summary>
    public int Outstanding => _pending.Count;

    /// <summary>Whether the script sends nothing although replies are outstanding.</summary>
    public bool IsSilent => _liveness.IsSilent;

    /// <summary>Whether the connection is closed.</summary>
    public bool IsClosed => Volatile.Read(ref _closed) != 0;

    /// <summary>Why the connection is closed, or null.</summary>
    public CommandFailure? ClosedBy { get; private set; }

    /// <summary>When a request that a caller awaits was last sent.</summary>
    public long LastUsed { get; private set; }

    /// <summary>How long the script may send nothing while replies are outstanding. mgba-headless answers between slow frames, a window in frames only.</summary>
    public TimeSpan SilenceTimeout => Hello.Host == HelloReply.Headless ? _settings.Now.SilenceTimeout : _session.Pace.Limit(_settings.Now.SilenceTimeout);

    private int Limit => Math.Min(_settings.Now.MaxInFlight, Hello.InFlightLimit);

    /// <summary>Starts receiving and the periodic check of deadlines and silence.</summary>
    public void Run()
    {
        var sweep = _clock.Time.CreateTimer(static state => ((Connection)state!).Sweep(), this, SweepInterval, SweepInterval);
        Interlocked.Exchange(ref _sweep, sweep);
        _receiving = Task.Run(ReceiveAsync);
        if (IsClosed)
        {
            sweep.Dispose(); // Close may have run before the timer was stored
        }
    }

    /// <summary>The handshake has succeeded: requests may be sent.</summary>
    public void CompleteHandshake(HelloReply hello, int incarnation, ConnectionEvents events)
    {
        Hello = hello;
        _session.Pace.SetPeriod(hello.Period);
        _incarnation = incarnation;
        Events = events;
        _receiver.CompleteHandshake();
        _liveness.CompleteHandshake();
    }

    /// <summary>The script's host wants another pace.</summary>
    public void FollowPace(ValueReader values) => _session.Pace.SetPeriod(values.ReadTo("period"u8) ? values.Integer : 0);

    /// <summary>Sends a heartbeat soon if the connection is idle.</summary>
    public void RequestHeartbeat() => _liveness.RequestHeartbeat();

    /// <summary>Sends a request. <paramref name="failure"/> says why it cannot be sent on any connection.</summary>
    public StartOutcome TryStart(Exchange exchange, out CommandFailure? failure)
    {
        failure = FindFailure(exchange);
        if (failure is not null)
        {
            return StartOutcome.Refused;
        }

        var (id, resent) = (exchange.Id, exchange.MayHaveLeft);
        if (!resent)
        {
            exchange.Incarnation = _incarnation;
            exchange.FirstEpoch = _dispatcher.Epoch;
        }

        LastUsed = exchange.Unattended ? LastUsed : exchange.StartedAt;
        exchange.MayHaveLeft = true;
        exchange.WasResent = resent;
        var epoch = resent && exchange.Descriptor.Kind == CommandKind.Effect ? exchange.FirstEpoch : exchange.Options.Epoch;
        var limit = exchange.Unattended || exchange.ExemptFromTimeout ? int.MaxValue : Limit;
        var result = _sender.Send(exchange, epoch, Hello.HeadLimit, limit, this);
        if (result == SendResult.Accepted)
        {
            exchange.EndIfCallerLeft(this, id);
            return StartOutcome.Started;
        }

        exchange.MayHaveLeft = resent;
        failure = result == SendResult.HeadTooLong ? FailureText.HeadTooLong(Hello.HeadLimit) : null;
        return result switch
        {
            SendResult.Full => StartOutcome.Full,
            SendResult.Closed => StartOutcome.Closed,
            _ => StartOutcome.Refused,
        };
    }

    /// <summary>Sends a command whose reply nobody awaits. It is exempt from timeouts and from the in-flight limit.</summary>
    public void SendUnattended<TCommand>(in TCommand command)
        where TCommand : struct, ICommand<TCommand>
    {
        var exchange = CommandExchange<TCommand>.Rent(command);
        exchange.Unattended = true;
        exchange.ExemptFromTimeout = true;
        var now = _clock.Now;
        Exchange.Prepare(exchange, _session, null, default, now, long.MaxValue, CancellationToken.None);
        if (TryStart(exchange, out _) != StartOutcome.Started)
        {
            exchange.Complete(Reply.Failed(FailureText.Stopping()));
        }
    }

    /// <summary>Whether bytes have arrived that were not read yet.</summary>
    public bool HasUnreadBytes() => _receiver.HasUnreadBytes();

    public bool TryRelease(Exchange exchange, long id)
    {
        if (!_pending.TryAbandon(exchange, id))
        {
            return false;
        }

        if (exchange.Descriptor.Kind == CommandKind.Effect || exchange.Descriptor.Lasts)
        {
            SendUnattended(new Cancel(id));
        }

        return true;
    }

    /// <summary>Closes the connection. Its pending requests fail with <paramref name="why"/>.</summary>
    public void Close(CommandFailure why)
    {
        if (Interlocked.Exchange(ref _closed, 1) != 0)
        {
            return;
        }

        ClosedBy = why;
        _sweep?.Dispose();
        _sender.Dispose();
        _socket.Dispose();
        var taken = new List<Exchange>();
        _pending.Close(taken);
        Events.Closed(this, why);
        foreach (var exchange in taken)
        {
            exchange.EndAttemptElsewhere(Reply.Failed(why));
        }
    }

    /// <summary>Accepts no more requests, lets the pending ones finish, and closes.</summary>
    public Task RetireAsync()
    {
        _sender.Drain();
        return DrainAsync(CancellationToken.None);
    }

    /// <summary>Waits until no reply is outstanding, at most until <paramref name="cancellationToken"/>, and closes gracefully.</summary>
    public async Task DrainAsync(CancellationToken cancellationToken)
    {
        try
        {
            while (!IsClosed && Outstanding > 0)
            {
                await Task.Delay(SweepInterval, _clock.Time, cancellationToken);
            }
        }
        catch (OperationCanceledException)
        {
            // the drain timeout has elapsed: the remaining requests fail
        }

        await CloseGracefullyAsync(FailureText.Stopping());
    }

    public async ValueTask DisposeAsync()
    {
        Close(FailureText.Stopping());
        await _receiving;
    }

    /// <summary>Cancels the pending requests, shuts down the sending side, and reads until the script has closed its side: a script that writes to a
    /// closed socket can crash its emulator.</summary>
    private async Task CloseGracefullyAsync(CommandFailure why)
    {
        _closing = why;
        _sender.Drain();
        var left = _timeouts.CancelAll();
        _sender.ShutDown();
        foreach (var exchange in left)
        {
            exchange.EndAttemptElsewhere(Reply.Failed(exchange.Descriptor.Kind == CommandKind.Effect ? FailureText.StoppedUnanswered() : why));
        }

        try
        {
            // measured by the real clock, since another process has to act; a paused game sees the end when it resumes
            await _receiving.WaitAsync(IsSilent ? TimeSpan.Zero : _settings.Now.CloseTimeout);
        }
        catch (TimeoutException)
        {
            // the script does not read
        }

        Close(why);
        await _receiving;
    }

    private CommandFailure? FindFailure(Exchange exchange) =>
        exchange.ExemptFromTimeout ? null
        : IsSilent ? FailureText.Silent(Address, SilenceTimeout)
        : ErrorReplies.BeforeSending(exchange, Hello, _incarnation);

    private async Task ReceiveAsync()
    {
        var why = await _receiver.RunAsync();
        Close(_closing ?? why);
        _dispatcher.Abort();
    }

    private void Sweep()
    {
        if (!_sweeping.TryEnter())
        {
            return;
        }

        try
        {
            var now = _clock.Check();
            _timeouts.FailOverdue(now);
            _liveness.Check(now);
        }
        finally
        {
            _sweeping.Exit();
        }
    }
}
