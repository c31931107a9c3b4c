using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Mcp.Server;

/// <summary>A session of one client: its transport, its server, and what its agent holds.</summary>
internal sealed class McpSession : IAsyncDisposable
{
    private readonly CancellationTokenSource _over = new();
    private readonly TimeProvider _time;
    private readonly Task _running;
    private long _lastUsed;
    private int _streams;
    private int _disposed;

    /// <summary>Begins one.</summary>
    public McpSession(string id, AgentSession agent, McpServerOptions options, TimeProvider time, IServiceProvider services)
    {
        (Id, Agent, _time) = (id, agent, time);
        _lastUsed = time.GetTimestamp();
        Transport = new StreamableHttpServerTransport { SessionId = id };
        Server = McpServer.Create(Transport, options, services.GetRequiredService<ILoggerFactory>(), services);
        _running = Server.RunAsync(_over.Token);
    }

    /// <summary>Its id, which the client sends with each request.</summary>
    public string Id { get; }

    /// <summary>What its agent holds.</summary>
    public AgentSession Agent { get; }

    /// <summary>Where its messages come and go.</summary>
    public StreamableHttpServerTransport Transport { get; }

    /// <summary>Answers the messages.</summary>
    public McpServer Server { get; }

    /// <summary>When it was used last, as a timestamp of the clock.</summary>
    public long LastUsed => Volatile.Read(ref _lastUsed);

    /// <summary>Whether a request or a stream is open.</summary>
    public bool IsInUse => Volatile.Read(ref _streams) > 0;

    /// <summary>It is used now.</summary>
    public void Touch() => Volatile.Write(ref _lastUsed, _time.GetTimestamp());

    /// <summary>A request or a stream is open until this is disposed.</summary>
    public IDisposable Enter()
    {
        Interlocked.Increment(ref _streams);
        return new Use(this);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 1)
        {
            return;
        }

        await _over.CancelAsync();
        try
        {
            await _running;
        }
        catch (OperationCanceledException)
        {
            // it is over
        }

        await Server.DisposeAsync();
        await Transport.DisposeAsync();
        await Agent.DisposeAsync();
        _over.Dispose();
    }

    private sealed class Use(McpSession session) : IDisposable
    {
        public void Dispose()
        {
            Interlocked.Decrement(ref session._streams);
            session.Touch();
        }
    }
}
