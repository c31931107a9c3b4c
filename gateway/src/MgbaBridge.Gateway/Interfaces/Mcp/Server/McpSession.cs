using MgbaBridge.Gateway.Operations.Agents;
using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>What a client has between its messages: of one that began a session its transport, its server and its agent, of one that sends requests without a session only its agent.</summary>
/// <param name="id">Its id, which the client sends with each request of a session.</param>
/// <param name="agent">What its agent holds.</param>
/// <param name="time">The clock.</param>
internal sealed class McpSession(string id, AgentSession agent, TimeProvider time) : IAsyncDisposable
{
    private readonly CancellationTokenSource _over = new();
    private McpServer? _server;
    private Task _running = Task.CompletedTask;
    private long _lastUsed = time.GetTimestamp();
    private int _requests;
    private int _disposed;

    /// <summary>Its id.</summary>
    public string Id => id;

    /// <summary>What its agent holds.</summary>
    public AgentSession Agent => agent;

    /// <summary>Where the messages of a session come and go; null for requests without one.</summary>
    public StreamableHttpServerTransport? Transport { get; private set; }

    /// <summary>When it was used last, as a timestamp of the clock.</summary>
    public long LastUsed => Volatile.Read(ref _lastUsed);

    /// <summary>Whether a request or a stream is open.</summary>
    public bool IsInUse => Volatile.Read(ref _requests) > 0;

    /// <summary>Whether requests of this client without a session belong to it.</summary>
    public bool IsOfProgram(AgentClient client) => Transport is null && agent.Agent.Client.IsSame(client);

    /// <summary>Makes it a session: messages of its transport are answered until it ends.</summary>
    public void Run(McpServerOptions options, IServiceProvider services)
    {
        Transport = new StreamableHttpServerTransport { SessionId = id };
        _server = McpServer.Create(Transport, options, services.GetRequiredService<ILoggerFactory>(), services);
        _running = _server.RunAsync(_over.Token);
    }

    /// <summary>A request or a stream is open until this is disposed.</summary>
    public IDisposable Enter()
    {
        Interlocked.Increment(ref _requests);
        agent.Agent.Seen();
        return new Use(this);
    }

    /// <summary>It is used now.</summary>
    public void Touch() => Volatile.Write(ref _lastUsed, time.GetTimestamp());

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 1)
        {
            return;
        }

        await _over.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await (_server?.DisposeAsync() ?? default);
        await (Transport?.DisposeAsync() ?? default);
        await agent.DisposeAsync();
        _over.Dispose();
    }

    private sealed class Use(McpSession session) : IDisposable
    {
        public void Dispose()
        {
            Interlocked.Decrement(ref session._requests);
            session.Touch();
        }
    }
}
