using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Client.Transport;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// Sends requests to one emulator. A request is sent at once on an open connection, without an allocation; the retry rules apply
/// only after a failure.
/// </summary>
public sealed class EmulatorClient : IAsyncDisposable
{
    private readonly TransportSettings _settings;
    private readonly MonotonicClock _clock;
    private readonly ILogger _logger;
    private readonly Session _session;
    private readonly ConnectionPool _pool;
    private readonly RetryRules _retry;
    private readonly HealthWatch _health;
    private readonly ExchangeEvents _exchangeEvents;
    private readonly Lazy<EventFeed> _events;
    private readonly bool _sharesFiles;
    private Func<string>? _control;
    private LeaseTaker? _leaseTaker;

    /// <summary>Creates a client, which starts to connect at once. Clients of one <paramref name="others"/> greet another program once.</summary>
    internal EmulatorClient(
        string id, EmulatorAddress address, TransportSettings settings, TimeProvider time, MemoryPool<byte> memory, ILogger logger, OtherPrograms? others = null)
        : this(id, address, settings, time, memory, logger, others ?? new OtherPrograms(time), new ScriptPace(), listener: null)
    {
    }

    // health follows the unsolicited events and the state of the connections
    private EmulatorClient(
        string id, EmulatorAddress address, TransportSettings settings, TimeProvider time, MemoryPool<byte> memory, ILogger logger, OtherPrograms others, ScriptPace pace, PoolEvents? listener)
    {
        (Id, Address) = (id, address);
        _settings = settings;
        _session = new Session(pace);
        _sharesFiles = LocalFiles.AreAt(address.Host);
        _clock = new MonotonicClock(time);
        _logger = logger;
        _health = new HealthWatch(id, time, logger);
        _retry = new RetryRules(settings.Now, _clock);
        _exchangeEvents = new ExchangeEvents(TakeOver, Ended);

        // events use a connection of their own from the first subscriber on: the script sends unsolicited events on each connection
        _events = new Lazy<EventFeed>(() => new EventFeed(listener => new EmulatorClient(id, address, settings.Alone(), time, memory, logger, others, pace, listener), ConnectNow, time));
        _pool = new ConnectionPool(id, address, settings, _session, _clock, memory, others, logger, listener ?? new PoolEvents(LinkChanged, _health.Note));
        Pictures = new PictureFeed(this, time, logger);
        Releases = new KeyReleases(this, time);
    }

    /// <summary>Creates a client with the default settings, which starts to connect at once; requests wait for that. Dispose it: what its session
    /// holds, such as keys and a lease, ends some time afterwards.</summary>
    /// <param name="port">The script's port, 1..65535; null for the first of 8888..8903 where a script answers.</param>
    /// <param name="host">Where the emulator runs.</param>
    /// <param name="secret">The secret that the script was started with (<c>MGBA_BRIDGE_SECRET</c>), or null for none.</param>
    /// <param name="logger">For failures of requests and connections; null for none. A reply has its failure, too.</param>
    public static EmulatorClient Connect(int? port = null, string host = "127.0.0.1", string? secret = null, ILogger? logger = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(host);
        if (port is < 1 or > ushort.MaxValue)
        {
            throw new ArgumentOutOfRangeException(nameof(port), port, "Expected a port from 1 to 65535, or null to look for a script.");
        }

        return new EmulatorClient(
            "1", new EmulatorAddress { Host = host, Port = port, Secret = secret }, new TransportSettings(new TransportOptions()), TimeProvider.System, MemoryPool<byte>.Shared, logger ?? NullLogger.Instance);
    }

    /// <summary>The id in paths below <c>/i/</c>.</summary>
    public string Id { get; }

    /// <summary>Where its script is.</summary>
    internal EmulatorAddress Address { get; }

    /// <summary>Until when effects may be sent; null for an emulator that no other machine can take over.</summary>
    internal HostLease? Lease { get; init; }

    /// <summary>Waits until what the game holds is stored where the loss of its machine does not concern it; null where that is no question.</summary>
    internal UntilStored? UntilStored { get; init; }

    /// <summary>Whose it is, for a session of a fleet; null for an emulator of the gateway itself.</summary>
    internal string? Owner { get; init; }

    /// <summary>The long-lived clients.</summary>
    internal EmulatorStreams Streams { get; } = new();

    /// <summary>The state of the emulator.</summary>
    public EmulatorHealth Health => _health.Now;

    /// <summary>The unsolicited events.</summary>
    public EventFeed Events => _events.Value;

    /// <summary>The pictures for viewers.</summary>
    public PictureFeed Pictures { get; }

    /// <summary>Releases the keys of holders that have left.</summary>
    internal KeyReleases Releases { get; }

    /// <summary>A limit in time that is made for ten frames a second or more, at the present pace.</summary>
    public TimeSpan AtPace(TimeSpan limit) => _session.Pace.Limit(limit);

    /// <summary>A caller of this gateway keeps the lockstep lease longer than the script knows: from now on this text says who has it until when.</summary>
    internal void BeginControl(Func<string> text) => Volatile.Write(ref _control, text);

    /// <summary>That caller keeps it no longer.</summary>
    internal void EndControl(Func<string> text) => Interlocked.CompareExchange(ref _control, null, text);

    /// <summary>Requests since the start, roughly: counting is not synchronized, since it is only used to see whether there were any.</summary>
    internal long Requests { get; private set; }

    /// <summary>How long the script may give no sign while it is asked something.</summary>
    internal TimeSpan SilenceTimeout => _settings.Now.SilenceTimeout;

    /// <summary>Requests sent and not answered.</summary>
    internal int InFlight => _pool.InFlight;

    /// <summary>Requests that wait for capacity.</summary>
    internal int Waiting => _pool.Waiting;

    /// <summary>Requests sent and not answered on the connections of one request class.</summary>
    internal int InFlightOn(RequestClass requestClass) => _pool.InFlightOn(requestClass);

    /// <summary>Requests of one request class that wait for capacity.</summary>
    internal int WaitingFor(RequestClass requestClass) => _pool.WaitingFor(requestClass);

    /// <summary>Open connections.</summary>
    internal int Connections => _pool.Connections;

    /// <summary>
    /// Sends a command and waits for its reply, which the caller disposes. A failure is a reply, too. Only cancellation throws an
    /// exception, <see cref="OperationCanceledException"/>.
    /// </summary>
    public ValueTask<Reply> SendAsync<TCommand>(in TCommand command, in RequestOptions options = default, CancellationToken cancellationToken = default)
        where TCommand : struct, ICommand<TCommand> =>
        OfNamesake(command, options) is { } failure ? new(Reply.Failed(failure))
        : typeof(TCommand) == typeof(TapKeys) || typeof(TCommand) == typeof(PlaySequence) ? SendPressAsync(command, options, cancellationToken)
        : typeof(TCommand) == typeof(TakeLease) ? SendTakeAsync(command, options, cancellationToken)
        : SendAnyAsync(command, options, cancellationToken);

    private ValueTask<Reply> SendAnyAsync<TCommand>(in TCommand command, in RequestOptions options, CancellationToken cancellationToken)
        where TCommand : struct, ICommand<TCommand> =>
        Lease is { } lease && command.Descriptor.Kind != CommandKind.Read ? SendLeasedAsync(command, options, lease, cancellationToken) : SendNowAsync(command, options, cancellationToken);

    private async ValueTask<Reply> SendPressAsync<TCommand>(TCommand command, RequestOptions options, CancellationToken cancellationToken)
        where TCommand : struct, ICommand<TCommand>
    {
        var reply = await SendAnyAsync(command, options, cancellationToken);
        if (reply.Failure is null)
        {
            ClientMetrics.Pressed(Id, KeyPress.Parse(reply.Values, command.Descriptor));
        }

        return reply;
    }

    private async ValueTask<Reply> SendTakeAsync<TCommand>(TCommand command, RequestOptions options, CancellationToken cancellationToken)
        where TCommand : struct, ICommand<TCommand>
    {
        var reply = await SendAnyAsync(command, options, cancellationToken);
        if (reply.Failure is null)
        {
            Volatile.Write(ref _leaseTaker, options.Holder is { } holder ? new LeaseTaker(holder.Name, options.Credential) : null);
        }

        return reply;
    }

    /// <summary>Refuses an effect of a caller who names the holder of the lease and has another token than who took it: the script knows holders by their names alone.</summary>
    private CommandFailure? OfNamesake<TCommand>(in TCommand command, in RequestOptions options)
        where TCommand : struct, ICommand<TCommand> =>
        Volatile.Read(ref _leaseTaker) is { } taker && options.Credential is { } credential && credential != taker.Credential && command.Descriptor.Kind == CommandKind.Effect
        && options.Holder?.Name == taker.Holder && Health.LeaseHolder == taker.Holder && command is not (TakeLease { Token: not null } or ReleaseLease { Any: true })
            ? FailureText.LeaseOfNamesake(taker.Holder)
            : null;

    private ValueTask<Reply> SendNowAsync<TCommand>(in TCommand command, in RequestOptions options, CancellationToken cancellationToken)
        where TCommand : struct, ICommand<TCommand> =>
        typeof(TCommand).IsAssignableTo(typeof(IFileCommand)) && _sharesFiles
            ? SendFileAsync(command, ((IFileCommand)(object)command).Path, options, cancellationToken)
            : StartAsync(command, options, cancellationToken);

    private ValueTask<Reply> StartAsync<TCommand>(in TCommand command, in RequestOptions options, CancellationToken cancellationToken)
        where TCommand : struct, ICommand<TCommand>
    {
        if (TCommand.FailureOf(command) is { } failure)
        {
            return ValueTask.FromResult(Reply.Failed(failure));
        }

        var now = _clock.Now;
        Requests++;
        var limit = options.Timeout ?? _settings.Now.RequestTimeout;
        var exchange = CommandExchange<TCommand>.Rent(command);
        exchange.Span = options.IsOwnWait ? null : ClientTracing.Begin(Id, exchange.Descriptor.Name);
        Exchange.Prepare(
            exchange, _session, _exchangeEvents, options, now, _clock.After(now, options.IsTimeoutChosen ? limit : AtPace(limit)), cancellationToken);
        var awaitable = exchange.Awaitable;
        if (cancellationToken.IsCancellationRequested)
        {
            exchange.CompleteLeft();
        }
        else
        {
            _pool.Start(exchange);
        }

        return awaitable;
    }

    /// <summary>Publishes an event that the gateway itself knows of, such as <c>emulator.restarted</c>, with its one value.</summary>
    internal void Announce(string kind, string value)
    {
        if (_events.IsValueCreated)
        {
            _events.Value.Announce(kind, value);
        }
    }

    /// <summary>Tries to connect now, if no connection is open, instead of after the present pause: the script is known to listen. Requests wait for
    /// the outcome.</summary>
    internal void ConnectNow() => _pool.ConnectNow();

    /// <summary>Accepts no more requests, waits for the pending ones, and closes.</summary>
    internal Task DrainAsync(CancellationToken cancellationToken) => _pool.DrainAsync(cancellationToken);

    public async ValueTask DisposeAsync()
    {
        Releases.Dispose();
        Streams.Dispose();
        if (_events.IsValueCreated)
        {
            await _events.Value.DisposeAsync();
        }

        await _pool.DisposeAsync();
    }

    /// <summary>The lease is checked on both sides: what was answered after its end may have run on a copy that another one has replaced.</summary>
    private async ValueTask<Reply> SendLeasedAsync<TCommand>(TCommand command, RequestOptions options, HostLease lease, CancellationToken cancellationToken)
        where TCommand : struct, ICommand<TCommand>
    {
        const string Why = "The fleet's database was not reached in time, so another host may run this game by now.";
        if (lease.HasEnded)
        {
            return Reply.Failed(new CommandFailure(CommandFailureKind.LeaseExpired, $"{Why} Reads are answered; repeat the request when the lease is renewed."));
        }

        var reply = await SendNowAsync(command, options, cancellationToken);
        if (reply.Failure is { Kind: CommandFailureKind.Leased } refused && refused.TextOf("holder"u8) == Holder.Drain.Name)
        {
            reply.Dispose();
            return Reply.Failed(new CommandFailure(CommandFailureKind.LeaseExpired, "The host of this game stops, and the game continues on another one. Repeat the request."));
        }

        if (reply.Failure is not null || !lease.HasEnded)
        {
            return reply;
        }

        reply.Dispose();
        return Reply.Failed(new CommandFailure(CommandFailureKind.LeaseExpired, $"{Why} The command ran before the answer came; whether the game that continues has its effect is unknown.") { PartlyDone = true });
    }

    private async ValueTask<Reply> SendFileAsync<TCommand>(TCommand command, string path, RequestOptions options, CancellationToken cancellationToken)
        where TCommand : struct, ICommand<TCommand>
    {
        if (_pool.State.Hello is null)
        {
            using var sign = await StartAsync(new Ping(), options, cancellationToken); // connects: hello names the folders
            if (sign.Failure is { } failure)
            {
                return Reply.Failed(failure);
            }
        }

        return LocalFiles.Check(path, _pool.State.Hello?.Folders ?? []) is { } outside
            ? Reply.Failed(outside)
            : await StartAsync(command, options, cancellationToken);
    }

    // the connection of the events and those of the requests lead to one script: if one is open, the others need not wait
    private void LinkChanged(LinkState link)
    {
        _health.Follow(link);
        if (link.Phase == LinkPhase.Up && _events.IsValueCreated)
        {
            _events.Value.ConnectNow();
        }
    }

    private bool TakeOver(Exchange exchange, Reply failed)
    {
        if (failed.Failure!.Kind == CommandFailureKind.Leased && Volatile.Read(ref _control) is { } text)
        {
            failed.Explain(text());
        }

        if (!_retry.MayTryAgain(exchange, failed) || _pool.State.Failure is not null)
        {
            return false;
        }

        _ = TryAgainAsync(exchange, failed);
        return true;
    }

    private async Task TryAgainAsync(Exchange exchange, Reply failed)
    {
        var first = failed.Failure!;
        try
        {
            ClientTracing.Note(exchange.Span, "retry", first.Rule.Name);
            var reply = await _retry.TryAgainAsync(exchange, failed, Attempt);
            exchange.Complete(PreserveIndeterminate(exchange, first, reply));
        }
        catch (OperationCanceledException)
        {
            exchange.CompleteLeft();
        }
        catch (Exception exception)
        {
            ClientLog.AttemptDefect(_logger, Id, exception);
            exchange.Complete(Reply.Failed(first));
        }
    }

    private ValueTask<Reply> Attempt(Exchange exchange)
    {
        ClientMetrics.OperationRetried(Id, exchange.Descriptor.Name);
        var attempt = exchange.NextAttempt();
        _pool.Start(exchange);
        return new ValueTask<Reply>(attempt);
    }

    /// <summary>An effect that may have been sent in an earlier attempt may have run, whatever the outcome of later attempts.</summary>
    private static Reply PreserveIndeterminate(Exchange exchange, CommandFailure first, Reply last)
    {
        if (last.Failure is not { } failure || failure.Rule.MayHaveRun || exchange.Descriptor.Kind == CommandKind.Read || !exchange.MayHaveLeft
            || failure.Kind is CommandFailureKind.Rejected or CommandFailureKind.GuardFailed or CommandFailureKind.Leased)
        {
            return last;
        }

        last.Dispose();
        return Reply.Failed(first with { Detail = $"{first.Detail} The command may have run. The next attempt failed, too: {failure.Detail}" });
    }

    private void Ended(Exchange exchange, CommandFailure? failure)
    {
        var name = failure?.Rule.Name ?? "ok";
        ClientMetrics.OperationEnded(Id, exchange.Descriptor.Name, name, _clock.Between(exchange.StartedAt, _clock.Now));
        if (failure is not null)
        {
            ClientLog.RequestFailed(_logger, failure.Rule.LogEvent, name, exchange.Descriptor.Name, Id, failure.Detail);
        }
    }

    /// <summary>Who took the lease last through this client.</summary>
    private sealed record LeaseTaker(string Holder, string? Credential);
}
