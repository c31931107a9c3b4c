using System.Globalization;
using System.Text.Json;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Engines;

/// <summary>
/// Runs hosts as jobs of Slurm: an array for each request, with <c>sbatch</c>, <c>squeue</c> and <c>scancel</c>. The comment of a job holds the id of
/// the request, and the index in the array completes it to our job id. Slurm's own ids are looked up for each command and never kept: a controller
/// that was restarted may use them again.
/// </summary>
/// <param name="options">The fleet's name, further arguments and the time limit of commands.</param>
/// <param name="program">What is started.</param>
public sealed class SlurmEngine(FleetOptions options, NodeProgram program) : IFleetEngine
{
    // the command is in variables, so that no name of a file becomes part of a script
    private const string CommandVariable = "MGBA_BRIDGE_NODE_";
    private const string RequestVariable = "MGBA_BRIDGE_FLEET_REQUEST";

    /// <summary>What a host reads when it has no job of its own: see <see cref="JobOfEnvironment"/>.</summary>
    private const string IndexVariable = "SLURM_ARRAY_TASK_ID";

    private static readonly Dictionary<string, string?> NoEnvironment = [];

    private string JobName => $"mgba-bridge-{options.Name}";

    public string Name => "slurm";

    /// <summary>The job that Slurm runs this process as, or null.</summary>
    public static Guid? JobOfEnvironment() =>
        Guid.TryParse(Environment.GetEnvironmentVariable(RequestVariable), out var request)
        && int.TryParse(Environment.GetEnvironmentVariable(IndexVariable), NumberStyles.None, CultureInfo.InvariantCulture, out var index)
            ? JobRegistry.JobOf(request, index)
            : null;

    public async Task StartAsync(Guid request, IReadOnlyList<Guid> jobs, CancellationToken cancellationToken)
    {
        var environment = new Dictionary<string, string?>(program.Environment) { [RequestVariable] = request.ToString() };
        foreach (var (index, word) in program.Command.Index())
        {
            environment[$"{CommandVariable}{index}"] = word;
        }

        var script = $"#!/bin/sh\nexec {string.Join(' ', program.Command.Select((_, index) => $"\"${CommandVariable}{index}\""))}\n";
        await RunAsync(
            "sbatch",
            [
                "--parsable", $"--job-name={JobName}", $"--comment={request}", string.Create(CultureInfo.InvariantCulture, $"--array=0-{jobs.Count - 1}"), "--export=ALL", "--no-requeue",
                "--output=/dev/null", .. options.SlurmArguments,
            ],
            script, environment, cancellationToken);
    }

    public async Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken) =>
        Parse(await RunAsync("squeue", ["--json"], "", NoEnvironment, cancellationToken), JobName);

    public async Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken)
    {
        // looked up anew: between a list and this command an id may have come to mean another job
        var wanted = jobs.Select(job => job.Id).ToHashSet();
        var found = (await ListAsync(cancellationToken)).Where(job => wanted.Contains(job.Id)).Select(job => job.Handle).ToArray();
        foreach (var handles in found.Chunk(100))
        {
            await RunAsync("scancel", ["--full", $"--name={JobName}", .. handles], "", NoEnvironment, cancellationToken);
        }
    }

    /// <summary>Reads the output of <c>squeue --json</c>; jobs of others and those that have ended are left out.</summary>
    internal static IReadOnlyList<EngineJob> Parse(string json, string name)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            var jobs = new List<EngineJob>();
            foreach (var job in document.RootElement.GetProperty("jobs").EnumerateArray())
            {
                if (Text(job, "name") != name || !Guid.TryParse(Text(job, "comment"), out var request) || !IsAlive(job))
                {
                    continue;
                }

                var array = Number(job, "array_job_id") is { } id and not 0 ? id : Number(job, "job_id") ?? 0;
                foreach (var index in Indices(job))
                {
                    jobs.Add(new EngineJob(JobRegistry.JobOf(request, index), string.Create(CultureInfo.InvariantCulture, $"{array}_{index}")));
                }
            }

            return jobs;
        }
        catch (Exception exception) when (exception is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            throw new EngineException($"squeue --json printed something else than expected: {exception.Message}", exception);
        }
    }

    private static bool IsAlive(JsonElement job)
    {
        var state = job.GetProperty("job_state");
        var name = state.ValueKind == JsonValueKind.Array ? state.EnumerateArray().Select(item => item.GetString()).FirstOrDefault() : state.GetString(); // a list since 23.02
        return name is "PENDING" or "RUNNING" or "CONFIGURING" or "SUSPENDED" or "REQUEUED" or "REQUEUE_HOLD" or "RESIZING" or "SIGNALING" or "STAGE_OUT" or "COMPLETING";
    }

    // tasks that wait are one entry with a text such as 2-7; one that has started has a number
    private static IEnumerable<int> Indices(JsonElement job)
    {
        if (Text(job, "array_task_string") is { Length: > 0 } ranges)
        {
            return ranges.Split('%')[0].Split(',').SelectMany(Range);
        }

        return Number(job, "array_task_id") is { } index ? [(int)index] : [];
    }

    private static IEnumerable<int> Range(string text)
    {
        var ends = text.Split('-');
        var first = int.Parse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture);
        var last = int.Parse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture);
        return last - first is >= 0 and <= 100_000 ? Enumerable.Range(first, last - first + 1) : [];
    }

    private static string? Text(JsonElement job, string name) => job.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    // {"set": true, "number": 3} since 23.02
    private static long? Number(JsonElement job, string name) =>
        !job.TryGetProperty(name, out var value) ? null
        : value.ValueKind == JsonValueKind.Number ? value.GetInt64()
        : value.ValueKind == JsonValueKind.Object && value.TryGetProperty("set", out var set) && set.ValueKind == JsonValueKind.True ? value.GetProperty("number").GetInt64()
        : null;

    private Task<string> RunAsync(string command, IReadOnlyList<string> arguments, string input, IReadOnlyDictionary<string, string?> environment, CancellationToken cancellationToken) =>
        BoundedProcess.RunAsync(command, arguments, input, environment, options.EngineTimeout, cancellationToken);
}
