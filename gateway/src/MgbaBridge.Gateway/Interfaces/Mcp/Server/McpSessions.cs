using System.Security.Cryptography;
using MgbaBridge.Gateway.Operations.Agents;
using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>
/// The sessions of agents. Clients of protocol versions before 2026-07-28 have a session each, made by <c>initialize</c>; later ones send requests
/// without one, and all requests of a program share what it holds. Both end when they are unused, and the number of each is bounded.
/// </summary>
internal sealed class McpSessions : IAsyncDisposable
{
    private readonly Dictionary<string, McpSession> _sessions = [];
    private readonly Lock _gate = new();
    private readonly McpOptions _options;
    private readonly AgentRegistry _agents;
    private readonly McpServerOptions _server;
    private readonly TimeProvider _time;
    private readonly IServiceProvider _services;
    private readonly ITimer _timer;
    private bool _stopped;

    /// <summary>Makes a store without sessions.</summary>
    public McpSessions(McpOptions options, AgentRegistry agents, McpServerOptions server, TimeProvider time, IServiceProvider services, IHostApplicationLifetime lifetime)
    {
        (_options, _agents, _server, _time, _services) = (options, agents, server, time, services);
        _timer = time.CreateTimer(
            _ => End(session => !session.IsInUse && time.GetElapsedTime(session.LastUsed) > options.SessionTimeout), null, options.SessionTimeout / 4, options.SessionTimeout / 4);
        lifetime.ApplicationStopping.Register(() => _ = DisposeAsync().AsTask());
    }

    /// <summary>The session of this id that callers with this token have begun, or null. This renews its idle time.</summary>
    public McpSession? Find(string id, string token)
    {
        lock (_gate)
        {
            if (_sessions.GetValueOrDefault(id) is not { Transport: not null } session || session.Agent.Agent.Client.Token != token)
            {
                return null;
            }

            session.Touch();
            return session;
        }
    }

    /// <summary>Begins a session. Null when there are as many as may be and each is in use.</summary>
    public McpSession? Begin(AgentClient client)
    {
        lock (_gate)
        {
            var session = Add(client, isSession: true);
            session?.Run(_server, _services);
            return session;
        }
    }

    /// <summary>What a program without sessions holds. Null when there are as many such programs as may be and each is in use.</summary>
    public McpSession? Of(AgentClient client)
    {
        lock (_gate)
        {
            if (_sessions.Values.FirstOrDefault(session => session.IsOfProgram(client)) is not { } known)
            {
                return Add(client, isSession: false);
            }

            known.Touch();
            return known;
        }
    }

    /// <summary>Ends a session.</summary>
    public async Task EndAsync(McpSession session)
    {
        lock (_gate)
        {
            _sessions.Remove(session.Id);
        }

        await session.DisposeAsync();
        _agents.Disconnect(session.Agent.Agent);
    }

    /// <summary>Ends all, and begins no more.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            _stopped = true;
        }

        await _timer.DisposeAsync();
        await End(static _ => true);
    }

    private McpSession? Add(AgentClient client, bool isSession)
    {
        var others = _sessions.Values.Where(session => session.Transport is not null == isSession).ToArray();
        var evicted = others.Length < _options.MaxSessions ? null : others.Where(session => !session.IsInUse).MinBy(session => session.LastUsed);
        if (_stopped || (others.Length >= _options.MaxSessions && evicted is null))
        {
            return null;
        }

        if (evicted is not null)
        {
            _sessions.Remove(evicted.Id);
            _ = Task.Run(() => EndAsync(evicted));
        }

        var agent = new AgentSession(_agents.Connect(client, shared: !isSession), _options.MaxCalls, isSession);
        var session = new McpSession(RandomNumberGenerator.GetHexString(32, lowercase: true), agent, _time);
        _sessions.Add(session.Id, session);
        return session;
    }

    private Task End(Func<McpSession, bool> which)
    {
        McpSession[] ended;
        lock (_gate)
        {
            ended = [.. _sessions.Values.Where(which)];
            Array.ForEach(ended, session => _sessions.Remove(session.Id));
        }

        return Task.WhenAll(ended.Select(EndAsync));
    }
}
