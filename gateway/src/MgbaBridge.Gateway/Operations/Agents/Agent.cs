using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Operations.Agents;

/// <summary>A program that plays through MCP, and what it did lately. The page shows it, and a person can pause it.</summary>
[SuppressMessage("Design", "CA1001", Justification = "a source of cancellation without a timer has nothing to release")]
public sealed class Agent
{
    /// <summary>How many calls are remembered.</summary>
    public const int RecentCalls = 50;

    private const int MaxText = 200;
    private const int MaxReached = 1_000;

    private readonly Queue<AgentCall> _recent = new();
    private readonly Dictionary<string, HashSet<string>> _reached = new(StringComparer.Ordinal);
    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private CancellationTokenSource _untilPaused = new();
    private long _calls;
    private long _failed;
    private long _presses;

    internal Agent(string id, AgentClient client, TimeProvider time)
    {
        (Id, Client, _time) = (id, client, time);
        Since = LastSeen = time.GetUtcNow();
        HolderName = client.Holder ?? $"agent-{id}";
    }

    /// <summary>The id.</summary>
    public string Id { get; }

    /// <summary>What the program says about itself, and where it is.</summary>
    public AgentClient Client { get; private set; }

    /// <summary>The holder of its keys and its lease.</summary>
    public string HolderName { get; }

    /// <summary>When it connected first.</summary>
    public DateTimeOffset Since { get; }

    /// <summary>When it sent a request last.</summary>
    public DateTimeOffset LastSeen { get; private set; }

    /// <summary>Whether it has a session.</summary>
    public bool IsConnected { get; internal set; } = true;

    /// <summary>Since when a person has paused it; null while it is not paused.</summary>
    public DateTimeOffset? PausedAt { get; private set; }

    /// <summary>The calls so far: all, those that failed, and the presses that the game saw.</summary>
    public (long Calls, long Failed, long Presses) Count
    {
        get
        {
            lock (_gate)
            {
                return (_calls, _failed, _presses);
            }
        }
    }

    /// <summary>The last calls, oldest first.</summary>
    public IReadOnlyList<AgentCall> Recent
    {
        get
        {
            lock (_gate)
            {
                return [.. _recent];
            }
        }
    }

    /// <summary>The file of its run, or null.</summary>
    internal AgentRun? Run { get; set; }

    /// <summary>Raised after it was paused.</summary>
    public event Action<Agent>? WasPaused;

    /// <summary>It sent a request.</summary>
    public void Seen() => LastSeen = _time.GetUtcNow();

    /// <summary>Begins a call. The token is cancelled when a person pauses the agent; null while it is paused.</summary>
    public CancellationToken? Begin()
    {
        lock (_gate)
        {
            Seen();
            return PausedAt is null ? _untilPaused.Token : null;
        }
    }

    /// <summary>Remembers a call that has ended.</summary>
    /// <param name="call">The call.</param>
    /// <param name="presses">How many presses it made.</param>
    public void Add(AgentCall call, long presses = 0)
    {
        lock (_gate)
        {
            _calls++;
            _failed += call.Outcome == AgentOutcome.Done ? 0 : 1;
            _presses += presses;
            _recent.Enqueue(call.Detail is { Length: > MaxText } detail ? call with { Detail = detail[..MaxText] } : call);
            if (_recent.Count > RecentCalls)
            {
                _recent.Dequeue();
            }
        }

        Run?.Write(new RunLine
        {
            At = call.At,
            Tool = call.Tool,
            Emulator = call.Emulator,
            Outcome = call.Outcome,
            Milliseconds = call.Milliseconds,
            Frame = call.Frame,
            Presses = presses > 0 ? presses : null,
            Detail = call.Detail,
        });
    }

    /// <summary>Remembers the milestones of a game that hold. Returns the names of those that it has reached now: what held when it looked first is not its own.</summary>
    /// <param name="emulator">The emulator.</param>
    /// <param name="game">The title of the game.</param>
    /// <param name="all">The milestones of the game.</param>
    /// <param name="holding">Those that hold.</param>
    /// <param name="frame">The frame in which they hold.</param>
    internal IReadOnlyList<string> Reach(string emulator, string game, IReadOnlyList<PackMilestone> all, IReadOnlyList<PackMilestone> holding, long frame)
    {
        if (all.Count == 0)
        {
            return [];
        }

        List<PackMilestone> now;
        bool isFirst;
        lock (_gate)
        {
            isFirst = !_reached.TryGetValue(emulator, out var before);
            before ??= _reached[emulator] = new(StringComparer.Ordinal);
            now = [.. holding.Where(milestone => before.Count < MaxReached && before.Add(milestone.Name))];
        }

        if (isFirst)
        {
            Run?.Write(new RunLine
            {
                At = _time.GetUtcNow(),
                Game = game,
                Emulator = emulator,
                Frame = frame,
                Milestones = all.Count,
                MaxPoints = all.Sum(static milestone => (long)milestone.Points),
                Before = now.Count > 0 ? [.. now.Select(static milestone => milestone.Name)] : null,
            });
            return [];
        }

        now.ForEach(milestone => Run?.Write(new RunLine { At = _time.GetUtcNow(), Milestone = milestone.Name, Points = milestone.Points, Emulator = emulator, Frame = frame }));
        return [.. now.Select(static milestone => milestone.Name)];
    }

    /// <summary>Pauses it, which cancels its calls, or lets it continue.</summary>
    public void SetPaused(bool paused)
    {
        CancellationTokenSource? cancelled = null;
        lock (_gate)
        {
            if (paused == PausedAt is not null)
            {
                return;
            }

            PausedAt = paused ? _time.GetUtcNow() : null;
            if (paused)
            {
                (cancelled, _untilPaused) = (_untilPaused, new CancellationTokenSource());
            }
        }

        cancelled?.Cancel();
        if (paused)
        {
            WasPaused?.Invoke(this);
        }
    }

    /// <summary>The same program has connected again.</summary>
    internal void Reconnected(AgentClient client)
    {
        (Client, IsConnected) = (client, true);
        Seen();
    }
}

/// <summary>What a program says about itself, and where it is.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Version">Its version, or null.</param>
/// <param name="Protocol">The version of MCP that it uses.</param>
/// <param name="Caller">Its address.</param>
/// <param name="Holder">The holder that it names, or null for one of its own.</param>
/// <param name="Token">Which token it has; empty for none.</param>
public sealed record AgentClient(string Name, string? Version, string Protocol, string Caller, string? Holder, string Token)
{
    /// <summary>Whether it is, as far as can be known, the same program.</summary>
    public bool IsSame(AgentClient other) => Name == other.Name && Caller == other.Caller && Holder == other.Holder && Token == other.Token;
}

/// <summary>A call of an agent.</summary>
/// <param name="At">When it began.</param>
/// <param name="Tool">The tool.</param>
/// <param name="Emulator">The emulator, or null when it needs none.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="Milliseconds">How long it took.</param>
/// <param name="Frame">The frame of its result, or null.</param>
/// <param name="Detail">What it did, or why it failed.</param>
public sealed record AgentCall(DateTimeOffset At, string Tool, string? Emulator, AgentOutcome Outcome, double Milliseconds, long? Frame, string? Detail);

/// <summary>How a call of an agent ended.</summary>
public enum AgentOutcome
{
    /// <summary>It was done.</summary>
    Done,

    /// <summary>It failed; the agent got an error.</summary>
    Failed,

    /// <summary>The agent cancelled it.</summary>
    Cancelled,

    /// <summary>A person has paused the agent.</summary>
    Paused,
}
