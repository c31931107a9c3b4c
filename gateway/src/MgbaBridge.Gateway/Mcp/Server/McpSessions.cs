using System.Security.Cryptography;
using MgbaBridge.Gateway.Api.Agents;
using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Mcp.Server;

/// <summary>
/// The sessions of agents. Clients of protocol versions before 2026-07-28 have a session each, made by <c>initialize</c>; later ones send requests
/// without one, and all requests of a program share what it holds. Both end when they are unused, and their number is bounded.
/// </summary>
internal sealed class McpSessions : IAsyncDisposable
{
    private readonly Dictionary<string, McpSession> _sessions = [];
    private readonly Dictionary<Agent, StatelessAgent> _stateless = [];
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
        _timer = time.CreateTimer(_ => _ = EndUnusedAsync(), null, options.SessionTimeout / 4, options.SessionTimeout / 4);
        lifetime.ApplicationStopping.Register(() => _ = DisposeAsync().AsTask());
    }

    /// <summary>How many there are, of both kinds.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _sessions.Count + _stateless.Count;
            }
        }
    }

    /// <summary>The session of this id that callers with this token have begun, or null. This renews its idle time.</summary>
    public McpSession? Find(string id, string token)
    {
        lock (_gate)
        {
            if (_sessions.GetValueOrDefault(id) is not { } session || session.Agent.Agent.Client.Token != token)
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
        McpSession? evicted = null;
        McpSession session;
        lock (_gate)
        {
            if (_stopped)
            {
                return null;
            }

            if (_sessions.Count >= _options.MaxSessions)
            {
                evicted = _sessions.Values.Where(session => !session.IsInUse).MinBy(session => session.LastUsed);
                if (evicted is null)
                {
                    return null;
                }

                _sessions.Remove(evicted.Id);
            }

            var agent = new AgentSession(_agents.Connect(client), _options.MaxCalls);
            session = new McpSession(RandomNumberGenerator.GetHexString(32, lowercase: true), agent, _server, _time, _services);
            _sessions.Add(session.Id, session);
        }

        if (evicted is not null)
        {
            _ = EndAsync(evicted);
        }

        return session;
    }

    /// <summary>What a program without sessions holds. Null when there are as many such programs as may be and each is in use.</summary>
    public AgentSession? Of(AgentClient client)
    {
        StatelessAgent? evicted = null;
        lock (_gate)
        {
            if (_stopped)
            {
                return null;
            }

            var agent = _agents.Connect(client, shared: true);
            if (!_stateless.TryGetValue(agent, out var known))
            {
                if (_stateless.Count >= _options.MaxSessions)
                {
                    evicted = _stateless.Values.Where(other => other.Session.Calls == 0).MinBy(other => other.LastUsed);
                    if (evicted is null)
                    {
                        return null;
                    }

                    _stateless.Remove(evicted.Session.Agent);
                }

                known = new StatelessAgent(new AgentSession(agent, _options.MaxCalls));
                _stateless.Add(agent, known);
            }

            known.LastUsed = _time.GetTimestamp();
            if (evicted is not null)
            {
                _ = EndAsync(evicted.Session);
            }

            return known.Session;
        }
    }

    /// <summary>Ends a session. False when there is none of this id.</summary>
    public async Task<bool> EndAsync(string id)
    {
        McpSession? session;
        lock (_gate)
        {
            _sessions.Remove(id, out session);
        }

        if (session is not null)
        {
            await EndAsync(session);
        }

        return session is not null;
    }

    /// <summary>Ends all, and begins no more.</summary>
    public async ValueTask DisposeAsync()
    {
        McpSession[] sessions;
        StatelessAgent[] stateless;
        lock (_gate)
        {
            _stopped = true;
            (sessions, stateless) = ([.. _sessions.Values], [.. _stateless.Values]);
            _sessions.Clear();
            _stateless.Clear();
        }

        await _timer.DisposeAsync();
        await Task.WhenAll([.. sessions.Select(EndAsync), .. stateless.Select(agent => EndAsync(agent.Session))]);
    }

    private async Task EndUnusedAsync()
    {
        McpSession[] sessions;
        StatelessAgent[] stateless;
        lock (_gate)
        {
            sessions = [.. _sessions.Values.Where(session => !session.IsInUse && IsOld(session.LastUsed))];
            stateless = [.. _stateless.Values.Where(agent => agent.Session.Calls == 0 && IsOld(agent.LastUsed))];
            Array.ForEach(sessions, session => _sessions.Remove(session.Id));
            Array.ForEach(stateless, agent => _stateless.Remove(agent.Session.Agent));
        }

        await Task.WhenAll([.. sessions.Select(EndAsync), .. stateless.Select(agent => EndAsync(agent.Session))]);
    }

    private bool IsOld(long lastUsed) => _time.GetElapsedTime(lastUsed) > _options.SessionTimeout;

    private async Task EndAsync(McpSession session)
    {
        await session.DisposeAsync();
        _agents.Disconnect(session.Agent.Agent);
    }

    private async Task EndAsync(AgentSession session)
    {
        await session.DisposeAsync();
        _agents.Disconnect(session.Agent);
    }

    private sealed class StatelessAgent(AgentSession session)
    {
        public AgentSession Session { get; } = session;

        public long LastUsed { get; set; }
    }
}
