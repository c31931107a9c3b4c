using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>Keeps the jobs of an engine as the registry wants them: requests hosts, and ends jobs that nobody wants, that nobody took, or that are idle.</summary>
/// <param name="engine">The engine.</param>
/// <param name="registry">The jobs that there are to be.</param>
/// <param name="options">How many emulators a host takes.</param>
/// <param name="metrics">Where failures are counted.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where failures are reported.</param>
public sealed class EngineJobs(IFleetEngine engine, JobRegistry registry, FleetOptions options, FleetMetrics metrics, TimeProvider time, ILogger logger)
{
    private static readonly TimeSpan CompareEvery = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(5);

    private const int MaxProblem = 1_000; // of the characters that a command printed

    // a job that ended is looked for once more: it may have been listed just before it ended
    private readonly HashSet<Guid> _suspect = [];
    private long _compared = long.MinValue;
    private long _failed = long.MinValue;
    private string? _reported; // unknown at first: a former leader may have left something
    private volatile string _problem = "";

    /// <summary>Why the engine failed last, or empty; may be read at any time.</summary>
    public string Problem => _problem;

    /// <summary>Requests hosts for so many emulators, as far as requested ones do not suffice, and compares the lists from time to time.</summary>
    public async Task LookAsync(int emulators, CancellationToken cancellationToken)
    {
        if (IsSince(_failed, RetryAfter))
        {
            return;
        }

        try
        {
            if (emulators > 0)
            {
                await RequestAsync((emulators + options.EmulatorsPerHost - 1) / options.EmulatorsPerHost, cancellationToken);
            }

            if (!IsSince(_compared, CompareEvery))
            {
                _compared = time.GetTimestamp();
                await CompareAsync(cancellationToken);
                _problem = "";
            }
        }
        catch (EngineException exception)
        {
            _failed = time.GetTimestamp();
            _problem = OneLine(exception.Message);
            metrics.EngineFailed();
            FleetLogMessages.FleetEngineFailed(logger, engine.Name, exception.Message);
        }

        if (_reported != _problem)
        {
            await registry.ReportEngineAsync(_problem, cancellationToken);
            _reported = _problem;
        }
    }

    private async Task RequestAsync(int hosts, CancellationToken cancellationToken)
    {
        var request = Guid.NewGuid();
        var count = await registry.RequestAsync(request, engine.Name, hosts, cancellationToken);
        if (count == 0)
        {
            return;
        }

        Guid[] jobs = [.. Enumerable.Range(0, count).Select(index => JobRegistry.JobOf(request, index))];
        try
        {
            await engine.StartAsync(request, jobs, cancellationToken);
        }
        catch (EngineException exception)
        {
            // if the engine took it nevertheless, its hosts are refused, and the comparison ends them
            await registry.EndAsync(jobs, exception.Message, cancellationToken);
            throw;
        }
    }

    private async Task CompareAsync(CancellationToken cancellationToken)
    {
        // the registry first: a job that is in neither list was not requested yet
        var wanted = (await registry.ListAsync(engine.Name, cancellationToken)).ToDictionary(job => job.Id);
        var found = await engine.ListAsync(cancellationToken);
        var surplus = found.Where(job => _suspect.Contains(job.Id) && (!wanted.TryGetValue(job.Id, out var row) || !row.IsWanted || row.IsIdle || (row.IsOverdue && !row.HasHost))).ToArray();
        if (surplus.Length > 0)
        {
            await engine.StopAsync(surplus, cancellationToken);
        }

        var present = found.Select(job => job.Id).ToHashSet();
        var ended = wanted.Values.Where(job => !job.HasHost && ((!present.Contains(job.Id) && _suspect.Contains(job.Id)) || !job.IsWanted || job.IsOverdue)).Select(job => job.Id).ToArray();
        if (ended.Length > 0)
        {
            await registry.EndAsync(ended, "it ended, or no host took it in time", cancellationToken);
            var failed = ended.Count(job => wanted[job] is { IsWanted: true, HasHost: false });
            if (failed > 0)
            {
                FleetLogMessages.FleetJobsFailed(logger, engine.Name, failed);
            }
        }

        // what is out of order now is acted on the next time, if it still is
        _suspect.Clear();
        _suspect.UnionWith(found.Where(job => !wanted.TryGetValue(job.Id, out var row) || !row.IsWanted || row.IsIdle || row.IsOverdue).Select(job => job.Id));
        _suspect.UnionWith(wanted.Values.Where(job => !job.HasHost && !present.Contains(job.Id)).Select(job => job.Id));
    }

    // commands print several lines, and lists show one
    private static string OneLine(string message)
    {
        var line = string.Join(' ', message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return line.Length <= MaxProblem ? line : $"{line[..MaxProblem]}...";
    }

    private bool IsSince(long timestamp, TimeSpan length) => timestamp != long.MinValue && time.GetElapsedTime(timestamp) < length;
}
