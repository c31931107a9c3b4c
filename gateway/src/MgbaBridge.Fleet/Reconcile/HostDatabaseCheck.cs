using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>
/// Tries <see cref="FleetOptions.HostDatabase"/>, with which the jobs of an engine connect, until it works once: otherwise only their logs would say that it is
/// wrong. Jobs are requested all the same, because their nodes may reach what this machine does not.
/// </summary>
/// <param name="database">The database.</param>
/// <param name="hosts">The same one, as jobs connect to it.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where the problem is reported.</param>
public sealed class HostDatabaseCheck(FleetDatabase database, FleetDatabase hosts, TimeProvider time, ILogger logger)
{
    private static readonly TimeSpan RetryAfter = TimeSpan.FromMinutes(1);

    private long? _tried;
    private bool _works;
    private volatile string _problem = "";

    /// <summary>Why it did not work last, or empty; may be read at any time.</summary>
    public string Problem => _problem;

    /// <summary>Tries it, if that is to be done now.</summary>
    /// <exception cref="FleetException">The database itself cannot be used.</exception>
    public async Task LookAsync(CancellationToken cancellationToken)
    {
        if (_works || (_tried is { } tried && time.GetElapsedTime(tried) < RetryAfter))
        {
            return;
        }

        var reason = await database.ReasonNotReachedByAsync(hosts, cancellationToken);
        (_tried, _works) = (time.GetTimestamp(), reason is null);
        var problem = reason is null ? ""
            : $"Jobs cannot use Bridge:Fleet:HostDatabase: {reason.TrimEnd('.')}. Correct it, or make its user with deploy/postgresql/hosts.sql, as docs/fleet.md says.";
        if (problem.Length > 0 && problem != _problem)
        {
            FleetLogMessages.FleetHostDatabaseWrong(logger, problem);
        }

        _problem = problem;
    }
}
