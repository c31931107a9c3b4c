using System.Net.WebSockets;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>
/// One client on a WebSocket. Its requests run side by side and are answered as they finish; what it holds goes when it does. Nothing
/// it sends or leaves unread concerns anybody else.
/// </summary>
internal sealed partial class WebSocketSession : IDisposable
{
    private readonly WebSocketReceiver _receiver;
    private readonly WebSocketEnding _ending;
    private readonly WebSocketLimits _limits;
    private readonly WebSocketHandlers _handlers;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _over = new();
    private volatile bool _acted;
    private bool _leased;

    public WebSocketSession(WebSocket socket, EmulatorClient emulator, Holder holder, WebSocketLimits limits, string trace, Action abort, IServiceProvider services)
    {
        (Emulator, Holder, Trace, _limits, Services) = (emulator, holder, trace, limits, services);
        _handlers = services.GetRequiredService<WebSocketHandlers>();
        _logger = services.GetRequiredService<ILogger<Emulators>>();
        _ending = new WebSocketEnding(socket, limits.Patience, abort);
        _receiver = new WebSocketReceiver(socket, limits.MaxMessage);
        Sender = new WebSocketSender(socket, limits.Patience, EndSlowReader);
        Over = _over.Token;
        Lasting = new WebSocketLongRunning(Over);
        Events = new WebSocketEvents(this);
        Pictures = new WebSocketPictures(this);
    }

    /// <summary>The emulator that it is about.</summary>
    public EmulatorClient Emulator { get; }

    /// <summary>Whose keys and lease they are.</summary>
    public Holder Holder { get; }

    /// <summary>What exists once.</summary>
    public IServiceProvider Services { get; }

    /// <summary>What to quote when asking for help.</summary>
    public string Trace { get; }

    /// <summary>Where answers go.</summary>
    public WebSocketSender Sender { get; }

    /// <summary>Its requests that take frames.</summary>
    public WebSocketLongRunning Lasting { get; }

    /// <summary>The steps of its lease.</summary>
    public WebSocketSteps Steps { get; } = new();

    /// <summary>What it is told unasked.</summary>
    public WebSocketEvents Events { get; }

    /// <summary>What it is shown unasked.</summary>
    public WebSocketPictures Pictures { get; }

    /// <summary>Cancelled when the client is gone or not served any more.</summary>
    public CancellationToken Over { get; }

    /// <summary>Serves the client until one of the two ends it.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        using var ending = stopping.Register(() => End(WebSocketCloseStatus.EndpointUnavailable, "the gateway stops"));
        try
        {
            await Sender.AnswerAsync(this, static (draft, session) => session.Greet(draft));
            for (var type = await _receiver.ReceiveAsync(); type != WebSocketMessageType.Close; type = await _receiver.ReceiveAsync())
            {
                // what comes behind the end is only read, so that the client can read the reason
                if (type is null)
                {
                    End(WebSocketCloseStatus.MessageTooBig, $"a message has at most {_limits.MaxMessage} bytes");
                }
                else if (!Over.IsCancellationRequested)
                {
                    await TakeAsync(type.Value);
                }
            }
        }
        catch (Exception exception) when (exception is WebSocketException or SlowReaderException or OperationCanceledException)
        {
            // the connection broke, or the client does not even read the greeting
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

    /// <summary>Notes what this client may have done that must not outlive it.</summary>
    public void NoteRan(CommandDescriptor row)
    {
        if (row.Kind == CommandKind.Effect)
        {
            _acted = true;
        }
    }

    /// <summary>It may have the lease from now on.</summary>
    public void NoteLease() => _leased = true;

    /// <inheritdoc/>
    public void Dispose()
    {
        _receiver.Dispose();
        Sender.Dispose();
        Steps.Dispose();
        Events.Dispose();
        _places.Dispose();
        _over.Dispose();
    }

    private async Task LeaveAsync()
    {
        // a lease that is being taken is waited for, and given back then
        if (_leased)
        {
            await ReleaseLeaseAsync();
        }

        await AllFreeAsync();
        await Lasting.EndAsync();
        await Events.EndAsync();
        await Pictures.EndAsync();
        if (_leased)
        {
            await ReleaseLeaseAsync();
        }

        if (_acted)
        {
            await Emulator.Releases.ReleaseAsync(Holder);
        }

        await _ending.EndAsync();
    }

    // one that is not given back ends by itself
    private async Task ReleaseLeaseAsync()
    {
        using var reply = await Emulator.SendAsync(new ReleaseLease(), new RequestOptions { Holder = Holder });
    }

    private void EndSlowReader() => End(WebSocketCloseStatus.PolicyViolation, $"answers were not read for {_limits.Patience.TotalSeconds:0.###} s");
}
