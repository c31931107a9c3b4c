namespace MgbaBridge.Fleet.Engines;

/// <summary>Starts and stops hosts: processes of <c>mgba-bridge node</c>. It need not remember anything: the registry knows what there is to be.</summary>
public interface IFleetEngine
{
    /// <summary>The environment variable that tells a host its job.</summary>
    const string JobVariable = "MGBA_BRIDGE_FLEET_JOB";

    /// <summary>Its name in the settings.</summary>
    string Name { get; }

    /// <summary>Requests hosts.</summary>
    /// <param name="request">The id of the request.</param>
    /// <param name="jobs">The ids of its jobs, one for each host, in the order of their index.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="EngineException">The engine did not take the request, or it is not known whether it did.</exception>
    Task StartAsync(Guid request, IReadOnlyList<Guid> jobs, CancellationToken cancellationToken);

    /// <summary>The jobs of this fleet that the engine has, waiting ones included.</summary>
    /// <exception cref="EngineException">The engine does not answer.</exception>
    Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken);

    /// <summary>Ends jobs: their hosts get SIGTERM and hand their sessions over.</summary>
    /// <exception cref="EngineException">The engine does not answer.</exception>
    Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken);
}

/// <summary>A job as an engine has it.</summary>
/// <param name="Id">Our id.</param>
/// <param name="Handle">What the engine calls it at this moment.</param>
public sealed record EngineJob(Guid Id, string Handle);

/// <summary>An engine failed.</summary>
public sealed class EngineException(string message, Exception? inner = null) : Exception(message, inner);
