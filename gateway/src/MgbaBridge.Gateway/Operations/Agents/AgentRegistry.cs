using System.Security.Cryptography;

namespace MgbaBridge.Gateway.Operations.Agents;

/// <summary>The agents of this gateway: those that are connected, and those that a person has paused.</summary>
/// <param name="time">The clock.</param>
/// <param name="begin">Begins the file of an agent's run; null when runs are not written.</param>
internal sealed class AgentRegistry(TimeProvider time, Func<Agent, AgentRun>? begin = null)
{
    /// <summary>How many are remembered; those that left are forgotten first.</summary>
    public const int MaxAgents = 64;

    private readonly List<Agent> _agents = [];
    private readonly Lock _gate = new();

    /// <summary>All, the one that was seen last first.</summary>
    public IReadOnlyList<Agent> All
    {
        get
        {
            lock (_gate)
            {
                return [.. _agents.OrderByDescending(agent => agent.LastSeen)];
            }
        }
    }

    /// <summary>The agent of this id, or null.</summary>
    public Agent? Find(string? id)
    {
        lock (_gate)
        {
            return _agents.Find(agent => agent.Id == id);
        }
    }

    /// <summary>
    /// A program has connected. One that connects again is the same agent as before, so that pausing it also holds for its next session.
    /// </summary>
    /// <param name="client">The program.</param>
    /// <param name="shared">Whether it is the same agent even while the earlier one is connected: its requests have no session.</param>
    public Agent Connect(AgentClient client, bool shared = false)
    {
        lock (_gate)
        {
            if (_agents.Find(agent => (shared || !agent.IsConnected) && agent.Client.IsSame(client)) is { } known)
            {
                known.Reconnected(client);
                return known;
            }

            var agent = new Agent(RandomNumberGenerator.GetHexString(8, lowercase: true), client, time);
            agent.Run = begin?.Invoke(agent);
            _agents.Add(agent);
            if (_agents.Count > MaxAgents)
            {
                // an agent without a session is never disconnected, so the one that was silent longest goes
                _agents.Remove(_agents.Where(other => other != agent).OrderBy(other => other.IsConnected).ThenBy(other => other.LastSeen).First());
            }

            return agent;
        }
    }

    /// <summary>The session of an agent has ended.</summary>
    public void Disconnect(Agent agent)
    {
        lock (_gate)
        {
            agent.IsConnected = false;
            Forget(agent);
        }
    }

    /// <summary>Pauses an agent, or lets it continue.</summary>
    public void SetPaused(Agent agent, bool paused)
    {
        agent.SetPaused(paused);
        lock (_gate)
        {
            Forget(agent);
        }
    }

    // one that is paused stays, so that its next session is paused as well
    private void Forget(Agent agent)
    {
        if (!agent.IsConnected && agent.PausedAt is null)
        {
            _agents.Remove(agent);
        }
    }
}
