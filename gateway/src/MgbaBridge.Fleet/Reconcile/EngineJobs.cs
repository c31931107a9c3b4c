using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>
/// Keeps the jobs of an engine as the registry wants them: one for each session that waits, and none that nobody wants. The engine is asked when there is
/// something to start or to end, and otherwise with growing pauses, for jobs that ended before a host of them had registered.
/// </summary>
/// <param name="engine">The engine.</param>
/// <param name="registry">What there is to be.</param>
/// <param name="options">How many jobs there may be.</param>
/// <param name="metrics">Where failures are counted.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where failures are reported.</param>
public sealed class EngineJobs(IFleetEngine engine, LeaderRegistry registry, FleetOptions options, FleetMetrics metrics, TimeProvider time, ILogger logger)
{
    private static readonly TimeSpan Spacing = TimeSpan.FromMilliseconds(200); // many sessions that are created one after the other are one request
    private static readonly TimeSpan MinPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(5);

    private const int MaxProblem = 1_000; // of the characters that a command printed

    // as the engine had them when it was asked last, and what was requested since
    private HashSet<SessionCopy> _known = [];
    private Dictionary<SessionCopy, string> _reasons = [];
    private TimeSpan _pause;
    private long? _asked;
    private bool _hasFailed;
    private volatile string _problem = "";

    /// <summary>That the engine failed last, and why, or empty; may be read at any time.</summary>
    public string Problem => _problem;

    /// <summary>What sessions wait for.</summary>
    public string WaitingFor => _problem.Length > 0 ? "It waits for a host, and the engine failed, which is tried again." // why is for the operator alone
        : $"It waits for its job of the engine {engine.Name}.";

    /// <summary>Looks once. <paramref name="wereRemoved"/> says that sessions were removed: their jobs may be waiting still.</summary>
    public async Task LookAsync(bool wereRemoved, CancellationToken cancellationToken)
    {
        var elapsed = _asked is { } asked ? time.GetElapsedTime(asked) : TimeSpan.MaxValue;
        if (elapsed < (_hasFailed ? RetryAfter : Spacing) || (elapsed < _pause && !wereRemoved && !await HasToActAsync(cancellationToken)))
        {
            return;
        }

        _asked = time.GetTimestamp();
        try
        {
            var hasActed = await CompareAsync(cancellationToken);
            (_hasFailed, _problem) = (false, "");
            _pause = hasActed || _pause < MinPause ? MinPause : _pause * 2 < MaxPause ? _pause * 2 : MaxPause;
        }
        catch (EngineException exception)
        {
            (_hasFailed, _problem) = (true, OneLine($"The engine {engine.Name} failed, which is tried again: {exception.Message}"));
            metrics.EngineFailed();
            FleetLogMessages.FleetEngineFailed(logger, engine.Name, exception.Message);
        }
    }

    /// <summary>Whether a session needs a job that the engine does not have, as far as is known, or has one that it needs no more.</summary>
    private async Task<bool> HasToActAsync(CancellationToken cancellationToken) =>
        (await registry.JobsAsync(cancellationToken)).Any(job => job.IsWanted ? job.IsDue && !_known.Contains(job.Copy) && HasRoom(job.Copy) : _known.Contains(job.Copy));

    /// <summary>Whether the engine may take a job: also when all are known, because the former job of its session has been lost.</summary>
    private bool HasRoom(SessionCopy job) => _known.Count < options.MaxJobs || _known.Contains(job with { Generation = job.Generation - 1 });

    private async Task<bool> CompareAsync(CancellationToken cancellationToken)
    {
        // the engine first: what the registry says afterwards holds for all jobs of the list
        var found = (await engine.ListAsync(cancellationToken)).ToLookup(job => job.Copy);
        SessionCopy[] copies = [.. found.Select(jobs => jobs.Key)];
        var surplus = (await registry.SurplusAsync(copies, cancellationToken)).SelectMany(copy => found[copy]).ToArray();
        if (surplus.Length > 0)
        {
            await engine.StopAsync(surplus, cancellationToken);
        }

        await ReportReasonsAsync(found.SelectMany(jobs => jobs), cancellationToken);
        var missing = (await registry.JobsAsync(cancellationToken)).Where(job => job is { IsWanted: true, IsDue: true } && !found.Contains(job.Copy)).ToDictionary(job => job.Copy, job => (job.Owner, job.Resources));
        SessionCopy[] ended = [.. missing.Keys.Where(_known.Contains)];
        if (ended.Length > 0)
        {
            metrics.EngineFailed();
            FleetLogMessages.FleetJobsFailed(logger, engine.Name, ended.Length);
            await registry.FailAsync(ended, "Its job ended before a host of it had registered.", cancellationToken);
        }

        SessionCopy[] requested = [.. missing.Keys.Except(ended).Take(Math.Max(0, options.MaxJobs - copies.Length))];
        _known = [.. copies];
        foreach (var jobs in requested.GroupBy(copy => missing[copy]).OrderBy(jobs => jobs.Key.Resources != default))
        {
            await StartAsync([.. jobs], jobs.Key.Owner, jobs.Key.Resources, cancellationToken);
        }

        // jobs that end are asked for once more; so are those that start, which are most likely to fail
        _known.ExceptWith(surplus.Select(job => job.Copy));
        return surplus.Length + ended.Length + requested.Length > 0;
    }

    private async Task StartAsync(SessionCopy[] jobs, string owner, JobResources resources, CancellationToken cancellationToken)
    {
        try
        {
            await engine.StartAsync(jobs, owner, resources, cancellationToken);
            _known.UnionWith(jobs);
        }
        catch (EngineException exception) when (exception.Refused.Count > 0)
        {
            // as of an owner without an account, or more than any node has: that keeps nobody else from starting
            metrics.EngineFailed();
            FleetLogMessages.FleetEngineFailed(logger, engine.Name, exception.Message);
            _known.UnionWith(jobs.Except(exception.Refused));
            await registry.FailAsync(exception.Refused, OneLine($"The engine {engine.Name} did not take its job: {exception.Message}"), cancellationToken);
        }
    }

    /// <summary>Notes of the sessions of waiting jobs why they wait, if that has changed.</summary>
    private async Task ReportReasonsAsync(IEnumerable<EngineJob> jobs, CancellationToken cancellationToken)
    {
        var reasons = new Dictionary<SessionCopy, string>();
        foreach (var job in jobs.Where(job => job.Reason.Length > 0))
        {
            reasons[job.Copy] = OneLine($"Its job {job.Name} of the engine {engine.Name} waits: {job.Reason}.");
        }

        var changed = reasons.Except(_reasons).ToArray();
        if (changed.Length > 0)
        {
            await registry.WaitAsync([.. changed.Select(reason => reason.Key)], changed.Select(reason => reason.Value), cancellationToken);
        }

        _reasons = reasons;
    }

    // commands print several lines, and lists show one
    private static string OneLine(string message)
    {
        var line = string.Join(' ', message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return line.Length <= MaxProblem ? line : $"{line[..MaxProblem]}...";
    }
}
