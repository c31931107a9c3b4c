using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Agents;
using MgbaBridge.Gateway.Operations.Lease;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>What an agent holds and knows while it is connected. Its end releases all of it.</summary>
internal sealed class AgentSession : IAsyncDisposable
{
    private readonly ConditionalWeakTable<EmulatorClient, EmulatorMemory> _memories = [];
    private readonly int _maxCalls;
    private int _calls;

    /// <summary>Begins one.</summary>
    /// <param name="agent">The agent.</param>
    /// <param name="maxCalls">Calls that it may have under way.</param>
    /// <param name="isConnected">Whether its end is seen: it has a session of the protocol.</param>
    public AgentSession(Agent agent, int maxCalls, bool isConnected)
    {
        (Agent, _maxCalls, IsConnected) = (agent, maxCalls, isConnected);
        Holder = Holder.TryCreate(agent.HolderName, out var holder) ? holder : throw new ArgumentException("The agent's holder is not a name.", nameof(agent));
        Options = new RequestOptions { Holder = Holder, Owner = Holder.Unique("mcp"), Credential = agent.Client.Token };
        agent.WasPaused += ReleaseAll;
    }

    /// <summary>The agent.</summary>
    public Agent Agent { get; }

    /// <summary>Whether its end is seen. Otherwise it ends when it was not used for a while.</summary>
    public bool IsConnected { get; }

    /// <summary>Whose keys and lease they are.</summary>
    public Holder Holder { get; }

    /// <summary>What its commands are sent with: what they hold belongs to this session, also where others have the same holder.</summary>
    public RequestOptions Options { get; }

    /// <summary>What runs for it until it ends, by name: the resources that it has subscribed to.</summary>
    public ConcurrentDictionary<string, CancellationTokenSource> Subscriptions { get; } = new(StringComparer.Ordinal);

    /// <summary>What the agent knows about an emulator.</summary>
    public EmulatorMemory MemoryOf(EmulatorClient emulator) => _memories.GetOrCreateValue(emulator);

    /// <summary>Counts a call. False when as many are under way as may be.</summary>
    public bool TryEnter()
    {
        if (Interlocked.Increment(ref _calls) <= _maxCalls)
        {
            return true;
        }

        Leave();
        return false;
    }

    /// <summary>A call has ended.</summary>
    public void Leave() => Interlocked.Decrement(ref _calls);

    public async ValueTask DisposeAsync()
    {
        Agent.WasPaused -= ReleaseAll;
        foreach (var subscription in Subscriptions.Values)
        {
            await subscription.CancelAsync();
        }

        await ReleaseAllAsync();
    }

    private void ReleaseAll(Agent paused) => _ = ReleaseAllAsync();

    /// <summary>Gives back control and ends what it holds in all emulators.</summary>
    private Task ReleaseAllAsync() => Task.WhenAll(_memories.ToArray().Select(async entry =>
    {
        if (entry.Value.TakeControl() is { } control)
        {
            await control.DisposeAsync();
        }

        if (entry.Value.Holds)
        {
            await entry.Key.Releases.ReleaseAsync(Holder, Options.Owner!, begun: true);
        }
    }));
}

/// <summary>What an agent knows about an emulator.</summary>
[SuppressMessage("Design", "CA1001", Justification = "a semaphore has nothing to release unless its wait handle is used")]
internal sealed class EmulatorMemory : IOperationSession
{
    private readonly SemaphoreSlim _turns = new(1, 1);
    private GameLease? _control;

    /// <summary>The names that it watches.</summary>
    public IReadOnlyList<string> Watched { get; set; } = [];

    /// <summary>What it saw last, or null.</summary>
    public Observation? Last { get; set; }

    /// <summary>Whether it may hold keys, sensors, points or a halt.</summary>
    public bool Holds { get; private set; }

    /// <summary>Free while no step runs.</summary>
    public SemaphoreSlim StepTurn { get; } = new(1, 1);

    /// <summary>Its control of the game, or null.</summary>
    public GameLease? Control
    {
        get => Volatile.Read(ref _control) is { Ended: null } control ? control : null;
        set => Volatile.Write(ref _control, value);
    }

    /// <summary>What it holds is released when it ends.</summary>
    public void Record(Held held) => Holds |= held != Held.None;

    /// <summary>Its calls that act run one after the other, in the order of their arrival. The next one runs when the result is disposed.</summary>
    public async ValueTask<IDisposable> TakeTurnAsync(CancellationToken cancelled)
    {
        await _turns.WaitAsync(cancelled);
        return new Turn(_turns);
    }

    /// <summary>Removes and returns its control, also one that has ended.</summary>
    public GameLease? TakeControl() => Interlocked.Exchange(ref _control, null);

    private sealed class Turn(SemaphoreSlim turns) : IDisposable
    {
        public void Dispose() => turns.Release();
    }
}

/// <summary>What an agent observed.</summary>
/// <param name="Epoch">The epoch.</param>
/// <param name="Frame">The frame.</param>
/// <param name="Picture">The picture, or null.</param>
/// <param name="Values">The watched values as JSON, by name.</param>
internal sealed record Observation(Epoch Epoch, long Frame, IndexedPicture? Picture, IReadOnlyDictionary<string, string> Values);
