using System.Buffers;
using System.Net.Sockets;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <summary>
/// One pipelined connection to a script. Requests are written as they come, replies are matched by id, and when it breaks everything that
/// waits on it ends; it is never used again after that.
/// </summary>
internal sealed partial class Connection : IExchangeHolder, IAsyncDisposable
{
    private readonly Socket _socket;
    private readonly Session _session;
    private readonly TransportSettings _settings;
    private readonly MonotonicClock _clock;
    private readonly Outbox _outbox;
    private readonly WaitingTable _waiting = new();
    private readonly string _address;
    private ConnectionEvents _events;
    private FailureReport? _closedBy;
    private FailureReport? _ending;
    private Task _receiving = Task.CompletedTask;
    private HelloReply _hello = new();
    private int _closed;
    private int _incarnation;

    public Connection(
        Socket socket, string address, Session session, TransportSettings settings, MonotonicClock clock, MemoryPool<byte> memory, ConnectionEvents events)
    {
        _socket = socket;
        _address = address;
        _session = session;
        _settings = settings;
        _clock = clock;
        _events = events;
        _outbox = new Outbox(socket, session, _waiting, HasUnread, reason => Close(FailureText.ConnectionLost(address, reason)));
        _received = NewPipe(memory);
        _lastSign = LastUsed = clock.Now;
    }

    /// <summary>Where it leads.</summary>
    public string Address => _address;

    /// <summary>What the script said when it was greeted.</summary>
    public HelloReply Hello => _hello;

    /// <summary>Replies outstanding, dropped ones included.</summary>
    public int Outstanding => _waiting.Count;

    /// <summary>Whether it is over.</summary>
    public bool IsClosed => Volatile.Read(ref _closed) != 0;

    /// <summary>Why it is over, or null.</summary>
    public FailureReport? ClosedBy => _closedBy;

    /// <summary>The epoch that the last reply named.</summary>
    public uint Epoch { get; private set; }

    /// <summary>When a request was last sent that somebody waits for.</summary>
    public long LastUsed { get; private set; }

    private int Limit => _legacy ? 1 : Math.Min(_settings.Now.MaxInFlight, _hello.InFlightLimit);

    /// <summary>Begins to receive and to watch.</summary>
    public void Run()
    {
        var watch = _clock.Time.CreateTimer(static state => ((Connection)state!).Watch(), this, WatchEvery, WatchEvery);
        Interlocked.Exchange(ref _watch, watch);
        _receiving = Task.Run(ReceiveAsync);
        if (IsClosed)
        {
            watch.Dispose(); // Close may have looked before it was there
        }
    }

    /// <summary>The script was greeted: requests may follow.</summary>
    public void Greeted(HelloReply hello, int incarnation, ConnectionEvents events)
    {
        _hello = hello;
        _incarnation = incarnation;
        _events = events;
        _greeted = true;
    }

    /// <summary>Sends a request, or says why not.</summary>
    public StartOutcome TryStart(Exchange exchange, out FailureReport? refusal)
    {
        refusal = WhyNot(exchange);
        if (refusal is not null)
        {
            return StartOutcome.Refused;
        }

        var (id, resent) = (exchange.Id, exchange.MayHaveLeft);
        if (!resent)
        {
            exchange.Incarnation = _incarnation;
            exchange.FirstEpoch = Epoch;
        }

        LastUsed = exchange.Unattended ? LastUsed : exchange.StartedAt;
        exchange.MayHaveLeft = true;
        exchange.WasResent = resent;
        var epoch = resent && exchange.Descriptor.Kind == CommandKind.Effect ? exchange.FirstEpoch : exchange.Options.Epoch;
        var limit = !_legacy && (exchange.Unattended || exchange.ExemptFromTimeout) ? int.MaxValue : Limit;
        var written = _outbox.Write(exchange, epoch, _hello.HeadLimit, limit, this);
        if (written == Outbox.Written.Accepted)
        {
            // the caller may have left meanwhile; see the remarks of Exchange
            if (exchange.CallerLeft && TryRelease(exchange, id))
            {
                exchange.EndLeft();
            }

            return StartOutcome.Started;
        }

        exchange.MayHaveLeft = resent;
        refusal = written == Outbox.Written.HeadTooLong ? FailureText.HeadTooLong(_hello.HeadLimit) : null;
        return written switch
        {
            Outbox.Written.NoRoom => StartOutcome.Full,
            Outbox.Written.Closed => StartOutcome.Closed,
            _ => StartOutcome.Refused,
        };
    }

    /// <inheritdoc/>
    public bool TryRelease(Exchange exchange, long id)
    {
        if (!_waiting.TryAbandon(exchange, id))
        {
            return false;
        }

        if (exchange.Descriptor.Kind == CommandKind.Effect || exchange.Descriptor.Lasts)
        {
            SendUnattended(new Cancel(id), patient: true);
        }

        return true;
    }

    /// <summary>Ends it: everything that waits fails with <paramref name="why"/>.</summary>
    public void Close(FailureReport why)
    {
        if (Interlocked.Exchange(ref _closed, 1) != 0)
        {
            return;
        }

        _closedBy = why;
        _watch?.Dispose();
        _outbox.Dispose();
        _socket.Dispose();
        var taken = new List<Exchange>();
        _waiting.Close(taken);
        _events.Closed(this, why);
        foreach (var exchange in taken)
        {
            exchange.EndAttemptElsewhere(Reply.Failed(why));
        }
    }

    /// <summary>Takes no more requests, lets those under way finish, and closes.</summary>
    public Task RetireAsync()
    {
        _outbox.Finish();
        return DrainAsync(CancellationToken.None);
    }

    /// <summary>Waits until nothing is outstanding, at most until <paramref name="cancellationToken"/>, then closes quietly.</summary>
    public async Task DrainAsync(CancellationToken cancellationToken)
    {
        try
        {
            while (!IsClosed && Outstanding > 0)
            {
                await Task.Delay(WatchEvery, _clock.Time, cancellationToken);
            }
        }
        catch (OperationCanceledException)
        {
            // the time is up: what is left is told so
        }

        await CloseQuietlyAsync(FailureText.Stopping());
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        Close(FailureText.Stopping());
        await _receiving;
    }

    /// <summary>Takes back what is left, says that nothing more comes, and reads on until the script has closed its side: one that writes to a
    /// closed socket can take its emulator down.</summary>
    private async Task CloseQuietlyAsync(FailureReport why)
    {
        _ending = why;
        _outbox.Finish();
        var left = new List<Exchange>();
        _waiting.AbandonAll(left);
        foreach (var exchange in left)
        {
            TakeBackInScript(exchange);
        }

        _outbox.ShutDown();
        foreach (var exchange in left)
        {
            exchange.EndAttemptElsewhere(Reply.Failed(exchange.Descriptor.Kind == CommandKind.Effect ? FailureText.StoppedUnanswered() : why));
        }

        try
        {
            // by the real clock, since it is about another process; one that runs no frames sees the end when it does
            await _receiving.WaitAsync(_silent ? TimeSpan.Zero : _settings.Now.CloseTimeout);
        }
        catch (TimeoutException)
        {
            // it does not read
        }

        Close(why);
        await _receiving;
    }

    private FailureReport? WhyNot(Exchange exchange)
    {
        if (_legacy && WhyNotLegacy(exchange) is { } lacking)
        {
            return lacking;
        }

        if (exchange.ExemptFromTimeout)
        {
            return null;
        }

        if (_silent)
        {
            return FailureText.Silent(_address, _settings.Now.SilentAfter);
        }

        if (exchange.MayHaveLeft && exchange.Descriptor.Kind == CommandKind.Effect && exchange.Incarnation != _incarnation)
        {
            return FailureText.Indeterminate("The connection broke before the reply came, and the script was loaded anew since.");
        }

        return exchange.TailLength is { } tail && tail > _hello.TailLimit
            ? FailureText.TailTooLong(tail, _hello.TailLimit)
            : null;
    }

    private void SendUnattended<TCommand>(in TCommand command, bool patient = false)
        where TCommand : struct, ICommand<TCommand>
    {
        var exchange = CommandExchange<TCommand>.Rent(command);
        exchange.Unattended = true;
        exchange.ExemptFromTimeout = patient;
        var now = _clock.Now;
        Exchange.Prepare(exchange, _session, null, default, now, long.MaxValue, CancellationToken.None);
        if (TryStart(exchange, out _) != StartOutcome.Started)
        {
            exchange.Complete(Reply.Failed(FailureText.Stopping()));
        }
    }
}
