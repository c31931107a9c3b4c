using System.Collections.Concurrent;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Node;

/// <summary>The copies on a host: those that run or start, and those that end. Only one thread uses it at a time.</summary>
/// <param name="hosts">Where they are reported.</param>
/// <param name="machine">The name of this machine.</param>
/// <param name="services">What they share.</param>
internal sealed class NodeCopies(HostRegistry hosts, string machine, NodeServices services) : IDisposable
{
    private const int DrainedAtOnce = 4;

    private readonly SemaphoreSlim _starting = new(2 * Environment.ProcessorCount);
    private readonly Dictionary<string, NodeCopy> _copies = [];
    private readonly Dictionary<string, Task> _ended = [];

    /// <summary>How many run or start.</summary>
    public int Count => _copies.Count;

    /// <summary>Whether there is none, also none that ends.</summary>
    public bool IsEmpty => _copies.Count + _ended.Count == 0;

    /// <summary>Whether one has ended since the last <see cref="AssignAsync"/>.</summary>
    public bool HasEnded => _ended.Values.Any(ended => ended.IsCompleted);

    /// <summary>Starts the copies of the sessions that the host has, and ends the others.</summary>
    public async Task AssignAsync(Guid host, CancellationToken cancellationToken)
    {
        var assigned = (await hosts.AssignmentsAsync(host, cancellationToken)).ToDictionary(assignment => assignment.Copy);
        foreach (var copy in _copies.Values.Where(copy => !assigned.TryGetValue(copy.Copy, out var assignment) || !assignment.IsWanted).ToArray())
        {
            End(copy);
        }

        foreach (var copy in _copies.Values)
        {
            copy.ReportedPort = assigned[copy.Copy].ReportedPort; // a crash of the database may have lost the report
        }

        foreach (var assignment in assigned.Values)
        {
            var before = _ended.GetValueOrDefault(assignment.Copy.Session, Task.CompletedTask);
            if (!assignment.IsWanted && before.IsCompleted)
            {
                await hosts.ReportEndedAsync(host, assignment.Copy, cancellationToken);
            }
            else if (assignment.IsWanted && !_copies.ContainsKey(assignment.Copy.Session))
            {
                _copies[assignment.Copy.Session] = new NodeCopy(assignment, services, _starting, before);
            }
        }

        foreach (var session in _ended.Where(entry => entry.Value.IsCompleted).Select(entry => entry.Key).ToArray())
        {
            _ended.Remove(session);
        }
    }

    /// <summary>Reports the copies that could not be started, and those that answer.</summary>
    public async Task ReportAsync(Guid host, CancellationToken cancellationToken)
    {
        foreach (var failed in _copies.Values.Where(copy => copy.Problem is not null).ToArray())
        {
            FleetLogMessages.FleetCopyFailed(services.Logger, failed.Copy.Session, failed.Problem!);
            await hosts.ReportFailedAsync(host, failed.Copy, $"{machine}: {failed.Problem}", cancellationToken);
            End(failed);
        }

        var running = _copies.Values.Select(copy => copy.Unreported).OfType<RunningCopy>().ToArray();
        if (running.Length > 0)
        {
            foreach (var copy in running)
            {
                services.Links?.Serve(copy.Copy, copy.Port); // before gateways know of it
            }

            var accepted = (await hosts.ReportRunningAsync(host, running, cancellationToken)).ToHashSet();
            foreach (var copy in running.Where(copy => accepted.Contains(copy.Copy)))
            {
                _copies[copy.Copy.Session].ReportedPort = copy.Port;
            }
        }
    }

    /// <summary>Begins to store new states. False when the registry has a copy otherwise than this host.</summary>
    public bool Upload(Guid host) => _copies.Values.Aggregate(true, (isAsItWas, copy) => copy.Upload(host) && isAsItWas);

    /// <summary>Ends the copies of deleted sessions, which need no last state.</summary>
    public async Task EndDeletedAsync(Guid host, CancellationToken cancellationToken)
    {
        await AssignAsync(host, cancellationToken);
        if (_ended.Count > 0)
        {
            await Task.WhenAll(_ended.Values);
            await AssignAsync(host, cancellationToken);
        }
    }

    /// <summary>Ends all.</summary>
    public async Task EndAllAsync()
    {
        foreach (var copy in _copies.Values.ToArray())
        {
            End(copy);
        }

        await Task.WhenAll(_ended.Values);
        _ended.Clear();
    }

    /// <summary>Stores the last states, ends all copies and gives their sessions back. One that fails does not keep the others from it.</summary>
    /// <exception cref="FleetException">Not all were given back. It may be called again, for the others.</exception>
    public async Task GiveBackAsync(Guid host, CancellationToken cancellationToken)
    {
        var failures = new ConcurrentQueue<Exception>();
        var atOnce = new ParallelOptions { MaxDegreeOfParallelism = DrainedAtOnce, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(_copies.Values.Where(copy => !copy.IsGivenBack).ToArray(), atOnce, async (copy, cancelled) =>
        {
            try
            {
                await GiveBackAsync(host, copy, cancelled);
            }
            catch (Exception exception) when (exception is not OperationCanceledException)
            {
                if (exception is not FleetException)
                {
                    FleetLogMessages.FleetCopyDefect(services.Logger, copy.Copy.Session, exception);
                }

                failures.Enqueue(exception);
            }
        });
        if (failures.TryDequeue(out var first))
        {
            throw first as FleetException ?? new FleetException(FleetProblem.Unavailable, first.Message, first);
        }
    }

    public void Dispose() => _starting.Dispose();

    private void End(NodeCopy copy)
    {
        _copies.Remove(copy.Copy.Session);
        services.Links?.Forget(copy.Copy);
        _ended[copy.Copy.Session] = TryEndAsync(copy);
    }

    private async Task TryEndAsync(NodeCopy copy)
    {
        try
        {
            await EndAsync(copy);
        }
        catch (Exception exception)
        {
            FleetLogMessages.FleetCopyDefect(services.Logger, copy.Copy.Session, exception);
        }
    }

    private async Task GiveBackAsync(Guid host, NodeCopy copy, CancellationToken cancellationToken)
    {
        if (!copy.HasEnded)
        {
            if (await copy.UploadLastAsync(host, cancellationToken) is { } problem)
            {
                FleetLogMessages.FleetStateNotStored(services.Logger, copy.Copy.Session, problem);
            }

            await EndAsync(copy);
        }

        await hosts.ReleaseAsync(host, copy.Copy, cancellationToken);
        copy.IsGivenBack = true;
    }

    private static async Task EndAsync(NodeCopy copy)
    {
        await copy.EndAsync();
        copy.Dispose();
    }
}
