using System.Collections.Concurrent;
using System.Net;
using System.Text.Json;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Engines.Kubernetes;

/// <summary>
/// Runs sessions as Jobs of Kubernetes. The name of a Job is made of fleet, session and generation, so a request that is repeated makes no second one;
/// its labels hold the three; and it is deleted by its <c>uid</c>, which Kubernetes never uses again.
/// </summary>
/// <param name="options">The fleet's name, the template of Jobs and the time limit of requests.</param>
/// <param name="program">The settings that are passed to hosts.</param>
/// <param name="access">Where the API server is.</param>
/// <param name="time">The clock.</param>
public sealed class KubernetesEngine(FleetOptions options, NodeProgram program, KubernetesAccess access, TimeProvider time) : IFleetEngine, IDisposable
{
    /// <summary>Jobs in one answer at most.</summary>
    public const int JobsOfPage = 500;

    /// <summary>Requests under way at once.</summary>
    public const int RequestsAtOnce = 8;

    private const int MaxPages = 100;
    private const int MaxBeginnings = 3;

    private readonly KubernetesApi _api = new(access, options.EngineTimeout, time);

    public string Name => "kubernetes";

    public async Task StartAsync(IReadOnlyList<SessionCopy> jobs, string owner, JobResources resources, CancellationToken cancellationToken)
    {
        var file = options.KubernetesTemplate!; // the settings require it
        var template = new HostJobTemplate(file, await KubernetesApi.ReadFileAsync(file, cancellationToken), options, program);
        var path = await PathAsync(cancellationToken);
        var refused = new ConcurrentDictionary<SessionCopy, EngineException>();
        await ForEachAsync(
            jobs,
            async (job, cancelled) =>
            {
                if (await CreateAsync(path, job, template.Make(job, resources), cancelled) is { } failure)
                {
                    refused[job] = failure;
                }
            },
            cancellationToken);
        if (!refused.IsEmpty)
        {
            throw new EngineException(refused.Values.First().Message) { Refused = [.. refused.Keys] };
        }
    }

    public async Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken)
    {
        var path = await PathAsync(cancellationToken);
        for (var beginning = 1; beginning <= MaxBeginnings; beginning++)
        {
            if (await ListAsync(path, cancellationToken) is { } found)
            {
                EngineJob[] jobs = [.. found.Select(job => job.Job)];
                return found.All(job => job.IsReady) ? jobs : await WithReasonsAsync(jobs, cancellationToken);
            }
        }

        throw new EngineException($"The list of Jobs of Kubernetes expired {MaxBeginnings} times while it was read.");
    }

    public async Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken)
    {
        var path = await PathAsync(cancellationToken);
        await ForEachAsync(jobs, (job, cancelled) => DeleteAsync(path, job, cancelled), cancellationToken);
    }

    public void Dispose() => _api.Dispose();

    private static Task ForEachAsync<T>(IReadOnlyList<T> items, Func<T, CancellationToken, Task> work, CancellationToken cancellationToken) => Parallel.ForEachAsync(
        items, new ParallelOptions { MaxDegreeOfParallelism = RequestsAtOnce, CancellationToken = cancellationToken }, async (item, cancelled) => await work(item, cancelled));

    private async Task<string> PathAsync(CancellationToken cancellationToken) => $"/apis/batch/v1/namespaces/{Uri.EscapeDataString(await _api.NamespaceAsync(cancellationToken))}/jobs";

    /// <summary>Jobs with the reasons why their pods wait, of as many pods as an answer has. A service account that may not list pods gives none.</summary>
    private async Task<IReadOnlyList<EngineJob>> WithReasonsAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken)
    {
        var answer = await _api.SendAsync(
            HttpMethod.Get,
            $"/api/v1/namespaces/{Uri.EscapeDataString(await _api.NamespaceAsync(cancellationToken))}/pods?labelSelector={Uri.EscapeDataString(HostJobTemplate.Selector(options.Name))}&fieldSelector=status.phase%3DPending&limit={JobsOfPage}",
            null,
            cancellationToken);
        if (answer.Status != HttpStatusCode.OK)
        {
            return jobs;
        }

        var reasons = KubernetesApi.Parse(answer, KubernetesJson.Default.PodList).Items.ToLookup(pod => HostJobTemplate.JobOf(pod.Metadata, options.Name), pod => pod.Status.Reason);
        return [.. jobs.Select(job => job with { Reason = reasons[job.Copy].FirstOrDefault() ?? "" })];
    }

    /// <summary>Creates a Job. Returns why that is refused, or null.</summary>
    private async Task<EngineException?> CreateAsync(string path, SessionCopy job, byte[] manifest, CancellationToken cancellationToken)
    {
        var answer = await _api.SendAsync(HttpMethod.Post, path, manifest, cancellationToken);
        var isMade = answer.Status is HttpStatusCode.Created or HttpStatusCode.OK or HttpStatusCode.Accepted
            || (answer.Status == HttpStatusCode.Conflict && await IsOfAnEarlierRequestAsync(path, job, cancellationToken));
        return isMade ? null : KubernetesApi.Unexpected($"create the Job {HostJobTemplate.NameOf(options.Name, job)}", answer);
    }

    /// <summary>Whether a Job with this name was made for our job: by an earlier request, whose answer did not arrive.</summary>
    private async Task<bool> IsOfAnEarlierRequestAsync(string path, SessionCopy job, CancellationToken cancellationToken)
    {
        var found = await _api.SendAsync(HttpMethod.Get, $"{path}/{HostJobTemplate.NameOf(options.Name, job)}", null, cancellationToken);
        return found.Status == HttpStatusCode.OK && HostJobTemplate.JobOf(KubernetesApi.Parse(found, KubernetesJson.Default.JobObject).Metadata, options.Name) == job;
    }

    /// <summary>All pages, or null when the list expired meanwhile.</summary>
    private async Task<IReadOnlyList<(EngineJob Job, bool IsReady)>?> ListAsync(string path, CancellationToken cancellationToken)
    {
        var jobs = new List<(EngineJob, bool)>();
        var query = $"{path}?labelSelector={Uri.EscapeDataString(HostJobTemplate.Selector(options.Name))}&limit={JobsOfPage}";
        string? next = null;
        for (var page = 0; page < MaxPages; page++)
        {
            var answer = await _api.SendAsync(HttpMethod.Get, next is null ? query : $"{query}&continue={Uri.EscapeDataString(next)}", null, cancellationToken);
            if (answer.Status == HttpStatusCode.Gone)
            {
                return null;
            }

            if (answer.Status != HttpStatusCode.OK)
            {
                throw KubernetesApi.Unexpected("list the Jobs", answer);
            }

            var list = KubernetesApi.Parse(answer, KubernetesJson.Default.JobList);
            foreach (var found in list.Items)
            {
                if (!found.Status.HasEnded && HostJobTemplate.JobOf(found.Metadata, options.Name) is { } copy)
                {
                    jobs.Add((new EngineJob(copy, found.Metadata.Name, Uid: found.Metadata.Uid), found.Status.Ready > 0));
                }
            }

            if (string.IsNullOrEmpty(list.Metadata.Continue))
            {
                return jobs;
            }

            next = list.Metadata.Continue;
        }

        throw new EngineException($"The list of Jobs of Kubernetes has more than {MaxPages} pages.");
    }

    private async Task DeleteAsync(string path, EngineJob job, CancellationToken cancellationToken)
    {
        var body = JsonSerializer.SerializeToUtf8Bytes(new DeleteOptions(new Preconditions(job.Uid)), KubernetesJson.Default.DeleteOptions);
        var answer = await _api.SendAsync(HttpMethod.Delete, $"{path}/{Uri.EscapeDataString(job.Name)}", body, cancellationToken);

        // 404: it is deleted already; 409: another one has its name now
        if (answer.Status is not (HttpStatusCode.OK or HttpStatusCode.Accepted or HttpStatusCode.NotFound or HttpStatusCode.Conflict))
        {
            throw KubernetesApi.Unexpected($"delete the Job {job.Name}", answer);
        }
    }
}
