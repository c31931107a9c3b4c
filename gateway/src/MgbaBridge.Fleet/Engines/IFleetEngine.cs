using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Engines;

/// <summary>
/// Starts and ends jobs: processes of <c>mgba-bridge node</c>, each for one session in one generation, which is its name. Where they run, and when, is the
/// engine's decision; its list of them is the only one.
/// </summary>
public interface IFleetEngine
{
    /// <summary>The environment variable that tells a host its job: <c>session.generation</c>.</summary>
    const string JobVariable = "MGBA_BRIDGE_FLEET_JOB";

    /// <summary>Its name in the settings.</summary>
    string Name { get; }

    /// <summary>Requests jobs of one owner with these resources. One that is requested twice may run twice; the second host is refused.</summary>
    /// <exception cref="EngineException">The engine refused some of them, or it is not known which of them it took.</exception>
    Task StartAsync(IReadOnlyList<SessionCopy> jobs, string owner, JobResources resources, CancellationToken cancellationToken);

    /// <summary>The jobs of this fleet that the engine has and that have not ended, waiting ones included.</summary>
    /// <exception cref="EngineException">The engine does not answer.</exception>
    Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken);

    /// <summary>Ends jobs. Their hosts get SIGTERM: they store their state and give their session back. One that has ended already is no failure.</summary>
    /// <exception cref="EngineException">The engine does not answer.</exception>
    Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken);
}

/// <summary>A job as an engine has it.</summary>
/// <param name="Copy">What it is for.</param>
/// <param name="Name">What the engine calls it at this moment.</param>
/// <param name="Reason">Why it waits, in the engine's words; empty when it does not, or does not say.</param>
/// <param name="Uid">Tells it from another one of this name, if the engine uses names again and has such an id.</param>
public sealed record EngineJob(SessionCopy Copy, string Name, string Reason = "", string Uid = "");

/// <summary>The job that an engine runs this process as.</summary>
/// <param name="Copy">What it is for, or null for a host that was started by hand.</param>
/// <param name="Name">What the engine calls it, or null.</param>
/// <param name="Node">What the engine calls this machine, or null.</param>
public sealed record NodeJob(SessionCopy? Copy, string? Name = null, string? Node = null)
{
    /// <summary>The name of this machine.</summary>
    public string Machine => Node ?? Environment.MachineName;
}

/// <summary>An engine failed.</summary>
public class EngineException(string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>The jobs that an engine refused, which answers and has taken the others; empty when it does not answer, or not as expected.</summary>
    public IReadOnlyList<SessionCopy> Refused { get; init; } = [];
}
