using System.Net.WebSockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Events;
using MgbaBridge.Gateway.Operations.Guests;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>
/// One client on a WebSocket. Its requests run concurrently and are answered as they finish. When it disconnects, its keys, its lease and its freezes are released.
/// A slow or faulty client does not affect others.
/// </summary>
internal sealed class WebSocketSession : IOperationSession, IDisposable
{
    private const int Protocol = 1;

    private readonly WebSocketReceiver _receiver;
    private readonly WebSocketRequestReader _reader;
    private readonly WebSocketEnding _ending;
    private readonly WebSocketLimits _limits;
    private readonly UnreadConnection _unread;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _over = new();
    private readonly IDisposable _entry;
    private volatile int _held;

    public WebSocketSession(
        WebSocket socket, EmulatorClient emulator, Holder holder, Caller caller, string? credential, WebSocketLimits limits, string trace, Action abort, UnreadConnection unread, IServiceProvider services)
    {
        (Emulator, Holder, Caller, Trace, _limits, _unread, Services) = (emulator, holder, caller, trace, limits, unread, services);
        Options = new RequestOptions { Holder = holder, Owner = Holder.Unique("ws"), Credential = credential };
        _logger = services.GetRequiredService<ILogger<EmulatorRegistry>>();
        _entry = emulator.Streams.Enter();
        _ending = new WebSocketEnding(socket, limits.Timeout, abort);
        _receiver = new WebSocketReceiver(socket, limits.MaxMessage);
        _reader = new WebSocketRequestReader(this, _receiver, services.GetRequiredService<WebSocketHandlers>());
        Slots = new WebSocketSlots(this);
        Over = _over.Token;
        Sender = new WebSocketSender(socket, limits.Timeout, unread, EndSlowReader, Over);
        LongRunning = new WebSocketLongRunning(Over);
        Events = new WebSocketEvents(this);
        Pictures = new WebSocketPictures(this);
    }

    /// <summary>The emulator that it is about.</summary>
    public EmulatorClient Emulator { get; }

    /// <summary>Whose keys and lease they are.</summary>
    public Holder Holder { get; }

    /// <summary>What its commands are sent with: what they hold belongs to this connection, also where others have the same holder.</summary>
    public RequestOptions Options { get; }

    /// <summary>The client, as long as the connection lasts.</summary>
    public Caller Caller { get; }

    /// <summary>The client in the list of guests; null for others.</summary>
    public GuestConnection? Guest { get; init; }

    /// <summary>The services of the application.</summary>
    public IServiceProvider Services { get; }

    /// <summary>What to quote when asking for help.</summary>
    public string Trace { get; }

    /// <summary>The slots of its requests.</summary>
    public WebSocketSlots Slots { get; }

    /// <summary>Sends the answers.</summary>
    public WebSocketSender Sender { get; }

    /// <summary>Its requests that take frames.</summary>
    public WebSocketLongRunning LongRunning { get; }

    /// <summary>Reads its requests.</summary>
    public WebSocketValueReader Values { get; } = new();

    public SemaphoreSlim StepTurn { get; } = new(1, 1);

    /// <summary>Its events.</summary>
    public WebSocketEvents Events { get; }

    /// <summary>Its picture stream.</summary>
    public WebSocketPictures Pictures { get; }

    /// <summary>Cancelled when the client is gone or not served any more.</summary>
    public CancellationToken Over { get; }

    /// <summary>Serves the client until one of the two ends it, or its token is revoked.</summary>
    public async Task RunAsync(CancellationToken stopping, CancellationToken revoked = default)
    {
        using var withdrawing = revoked.Register(Withdraw);
        using var ending = stopping.Register(() => End(WebSocketCloseStatus.EndpointUnavailable, "the gateway stops"));
        using var removed = Emulator.Streams.Removed.Register(() => End(WebSocketCloseStatus.EndpointUnavailable, EmulatorStreams.RemovedReason));
        try
        {
            await Sender.AnswerAsync(this, 0, static (draft, session) => session.WriteHello(draft));
            for (var type = await _receiver.ReceiveAsync(); type != WebSocketMessageType.Close; type = await _receiver.ReceiveAsync())
            {
                // what comes behind the end is only read, so that the client can read the reason
                if (type is null)
                {
                    End(WebSocketCloseStatus.MessageTooBig, $"a message has at most {_limits.MaxMessage} bytes");
                }
                else if (!Over.IsCancellationRequested)
                {
                    await _reader.ReadAsync(type.Value);
                }
            }
        }
        catch (Exception exception) when (exception is WebSocketException or SlowReaderException or OperationCanceledException)
        {
            // the connection broke, or the client does not even read the hello message
        }
        finally
        {
            End(WebSocketCloseStatus.NormalClosure, null);
            await LeaveAsync();
        }
    }

    /// <summary>Ends it, once: nothing is begun any more, and what waits is taken back.</summary>
    public void End(WebSocketCloseStatus status, string? why)
    {
        if (_ending.Begin(status, why))
        {
            GatewayMetrics.SocketEnded(Emulator.Id, status.ToString());
            _over.Cancel();
        }
    }

    public void Record(Held held)
    {
        if ((held & ~(Held)_held) != 0 && Interlocked.Or(ref _held, (int)held) == 0)
        {
            _ = WatchAsync();
        }
    }

    /// <summary>A request, or the events or pictures, ended with an exception: notifies the client, if it is still connected.</summary>
    public async Task FailAsync(WebSocketSlot? slot, WebSocketRequest request, Exception exception)
    {
        try
        {
            switch (exception)
            {
                case OperationCanceledException:
                    break;
                case SlowReaderException:
                    EndSlowReader();
                    break;
                case WebSocketException or ObjectDisposedException:
                    End(WebSocketCloseStatus.NormalClosure, null);
                    break;
                default:
                    if (Problems.IsDefect(exception))
                    {
                        GatewayLog.SocketDefect(_logger, Emulator.Id, exception);
                    }

                    await this.RefuseAsync(request.Id, Problems.Of(exception, Trace, mayHaveRun: true));
                    break;
            }
        }
        catch (Exception again) when (again is WebSocketException or SlowReaderException or ObjectDisposedException or OperationCanceledException or OutOfMemoryException)
        {
            End(WebSocketCloseStatus.NormalClosure, null);
        }
        finally
        {
            if (slot is not null)
            {
                Slots.Return(slot);
            }
        }
    }

    public void Dispose()
    {
        _entry.Dispose();
        _receiver.Dispose();
        Sender.Dispose();
        StepTurn.Dispose();
        Events.Dispose();
        Slots.Dispose();
        _over.Dispose();
    }

    private void WriteHello(WebSocketMessage draft)
    {
        var json = draft.Json;
        json.WriteStartObject("hello"u8);
        json.WriteNumber("protocol"u8, Protocol);
        json.WriteString("emulator"u8, Emulator.Id);
        json.WriteString("holder"u8, Holder.Name);
        json.WriteNumber("maxMessage"u8, _limits.MaxMessage);
        json.WriteNumber("requests"u8, WebSocketLimits.Requests);
        json.WriteNumber("lasting"u8, WebSocketLimits.LongRunning);
        json.WriteNumber("topics"u8, EventTopicsKind.Max);
        json.WriteEndObject();
    }

    private async Task LeaveAsync()
    {
        // a lease that is being taken is waited for, and given back then
        if (Holds(Held.Lease))
        {
            await Emulator.Releases.ReleaseLeaseAsync(Options);
        }

        await Slots.DrainAsync();
        await LongRunning.EndAsync();
        await Task.WhenAll(Events.EndAsync(), Pictures.EndAsync()).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // they have reported their failures
        if (Holds(Held.Lease))
        {
            await Emulator.Releases.ReleaseLeaseAsync(Options);
        }

        await ReleaseSpeedAsync();
        if (_held != 0)
        {
            await Emulator.Releases.ReleaseAsync(Holder, Options.Owner!, begun: Guest is not null); // the end of a link could not find them any more
        }

        _entry.Dispose();
        await _ending.EndAsync();
    }

    private bool Holds(Held held) => ((Held)_held & held) != 0;

    /// <summary>True when it held one.</summary>
    private async Task<bool> ReleaseSpeedAsync()
    {
        if ((Interlocked.And(ref _held, ~(int)Held.Speed) & (int)Held.Speed) == 0)
        {
            return false;
        }

        await Services.GetRequiredService<Supervisor>().HoldSpeedAsync(Emulator.Id, Options.Owner!.Name, null);
        return true;
    }

    /// <summary>
    /// Releases what a client holds that is frozen, or gone without a word: it does not even answer a ping. A client that holds nothing may be silent for longer.
    /// </summary>
    private async Task WatchAsync()
    {
        try
        {
            while (true)
            {
                await Task.Delay(_limits.HoldTimeout / 4, Over);
                if (_receiver.SilentFor(_unread) < _limits.HoldTimeout)
                {
                    continue;
                }

                if (await Emulator.Releases.ReleaseNowAsync(Options, Over) > 0 || await ReleaseSpeedAsync())
                {
                    End(WebSocketCloseStatus.PolicyViolation, $"no answer to a ping for {_limits.HoldTimeout.TotalSeconds:0.###} s while keys or the like were held (Http:WebSocketHoldTimeout)");
                    return;
                }
            }
        }
        catch (OperationCanceledException)
        {
            // the socket has ended
        }
    }

    // the client may take its time to answer the close message
    private void Withdraw()
    {
        End(WebSocketCloseStatus.PolicyViolation, "the token is no longer valid");
        if (_held != 0)
        {
            _ = Emulator.Releases.ReleaseAsync(Holder, Options.Owner!, begun: true);
        }
    }

    private void EndSlowReader() => End(WebSocketCloseStatus.PolicyViolation, $"answers were not read for {_limits.Timeout.TotalSeconds:0.###} s");
}
