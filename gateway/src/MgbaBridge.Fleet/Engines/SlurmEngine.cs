using System.Globalization;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Engines;

/// <summary>
/// Runs sessions as jobs of Slurm, with <c>sbatch</c>, <c>squeue</c> and <c>scancel</c>. Those that are requested together are an array, whose comment lists
/// what its tasks are for, in the order of their index, after that of the site; they have one owner. Slurm's own ids are looked up for each command and never kept: a controller that was restarted may
/// use them again.
/// </summary>
/// <param name="options">The fleet's name, further arguments and the time limit of commands.</param>
/// <param name="program">What is started.</param>
public sealed class SlurmEngine(FleetOptions options, NodeProgram program) : IFleetEngine
{
    // the command is in variables, so that no name of a file becomes part of a script
    private const string CommandVariable = "MGBA_BRIDGE_NODE_";

    /// <summary>The variables from which a host knows its job: see <see cref="JobOfEnvironment"/>.</summary>
    private const string JobsVariable = "MGBA_BRIDGE_FLEET_JOBS";
    private const string ArrayVariable = "SLURM_ARRAY_JOB_ID";
    private const string IndexVariable = "SLURM_ARRAY_TASK_ID";
    private const string NodeVariable = "SLURMD_NODENAME";

    private const int MaxComment = 1_000; // Slurm takes 1,024 bytes
    private const char AfterSiteComment = ';';
    private const int MaxNames = 100; // of one command
    private const string NoReason = "None";

    // those of jobs that have not ended; one that is completing has
    private const string LivingStates = "PENDING,CONFIGURING,RUNNING,SUSPENDED,STOPPED,RESIZING,SIGNALING,REQUEUED,REQUEUE_HOLD";

    private static readonly Dictionary<string, string?> NoEnvironment = [];

    private string JobName => $"mgba-bridge-{options.Name}";

    public string Name => "slurm";

    /// <summary>The job that Slurm runs this process as, or null.</summary>
    public static NodeJob? JobOfEnvironment()
    {
        var index = Environment.GetEnvironmentVariable(IndexVariable) ?? "";
        return JobOf(Environment.GetEnvironmentVariable(JobsVariable) ?? "", index) is { } copy
            ? new NodeJob(copy, $"{Environment.GetEnvironmentVariable(ArrayVariable)}_{index}", Environment.GetEnvironmentVariable(NodeVariable))
            : null;
    }

    public async Task StartAsync(IReadOnlyList<SessionCopy> jobs, string owner, JobResources resources, CancellationToken cancellationToken)
    {
        var comment = $"{SlurmArguments.For(owner, options.SlurmComment)}{AfterSiteComment}";
        string[] arguments = [.. SlurmArguments.Of(options, owner), .. Arguments(resources)];
        var taken = 0;
        foreach (var list in Lists(jobs, MaxComment - comment.Length))
        {
            try
            {
                await StartAsync(list, comment, arguments, cancellationToken);
            }
            catch (CommandFailedException exception)
            {
                throw new EngineException(exception.Message, exception) { Refused = [.. jobs.Skip(taken)] };
            }

            taken += list.Count(' ') + 1;
        }
    }

    public async Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken) =>
        Parse(await RunAsync("squeue", ["--me", $"--name={JobName}", $"--states={LivingStates}", "--array", "--noheader", "--format=%F|%K|%r|%k"], "", NoEnvironment, cancellationToken));

    public async Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken)
    {
        // looked up anew: between a list and this command an id may have come to mean another job
        var wanted = jobs.Select(job => job.Copy).ToHashSet();
        foreach (var names in await NamesAsync())
        {
            try
            {
                // with a filter, such as --name, it would end all tasks of the array that wait
                await RunAsync("scancel", ["--full", .. names], "", NoEnvironment, cancellationToken);
            }
            catch (EngineException) when (!cancellationToken.IsCancellationRequested)
            {
                // it fails for jobs that have ended meanwhile
                if ((await NamesAsync()).Any(left => left.Intersect(names).Any()))
                {
                    throw;
                }
            }
        }

        async Task<IEnumerable<string[]>> NamesAsync() =>
            (await ListAsync(cancellationToken)).Where(job => wanted.Contains(job.Copy)).Select(job => job.Name).Chunk(MaxNames);
    }

    /// <summary>Reads lines of <c>squeue</c>: id, index, the reason why it waits, and comment. Jobs of the same name that somebody else submitted have another comment.</summary>
    internal static IReadOnlyList<EngineJob> Parse(string lines) =>
        [.. lines.Split('\n').Select(line => line.Split('|', 4)).Where(words => words.Length == 4)
            .Select(words => JobOf(words[3][(words[3].LastIndexOf(AfterSiteComment) + 1)..], words[1]) is { } job ? new EngineJob(job, $"{words[0]}_{words[1]}", words[2] == NoReason ? "" : words[2]) : null).OfType<EngineJob>()];

    /// <summary>Arguments of <c>sbatch</c> for resources; Slurm has whole processors only.</summary>
    internal static IEnumerable<string> Arguments(JobResources resources)
    {
        if (resources.Cpus is { } cpus)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"--cpus-per-task={Math.Ceiling(cpus)}");
        }

        if (resources.Memory is { } memory)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"--mem={memory}M");
        }
    }

    /// <summary>Lists of what the tasks of arrays are for, each as long as a comment of Slurm may be.</summary>
    internal static IEnumerable<string> Lists(IReadOnlyList<SessionCopy> jobs, int maxLength = MaxComment)
    {
        var list = "";
        foreach (var job in jobs.Select(job => job.ToString()))
        {
            if (list.Length + 1 + job.Length > maxLength)
            {
                yield return list;
                list = "";
            }

            list += list.Length == 0 ? job : $" {job}";
        }

        if (list.Length > 0)
        {
            yield return list;
        }
    }

    private static SessionCopy? JobOf(string list, string index) =>
        int.TryParse(index, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && list.Split(' ') is var jobs && number < jobs.Length ? SessionCopy.Parse(jobs[number].Trim()) : null;

    private Task<string> StartAsync(string list, string comment, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        var environment = new Dictionary<string, string?>(program.Environment) { [JobsVariable] = list };
        foreach (var (index, word) in program.Command.Index())
        {
            environment[$"{CommandVariable}{index}"] = word;
        }

        var script = $"#!/bin/sh\nexec {string.Join(' ', program.Command.Select((_, index) => $"\"${CommandVariable}{index}\""))}\n";
        return RunAsync(
            "sbatch",
            [
                "--parsable", $"--job-name={JobName}", $"--comment={comment}{list}", string.Create(CultureInfo.InvariantCulture, $"--array=0-{list.Count(' ')}"), "--export=ALL", "--no-requeue",
                "--output=/dev/null", .. arguments,
            ],
            script, environment, cancellationToken);
    }

    private Task<string> RunAsync(string command, IReadOnlyList<string> arguments, string input, IReadOnlyDictionary<string, string?> environment, CancellationToken cancellationToken) =>
        BoundedProcess.RunAsync(command, arguments, input, environment, options.EngineTimeout, cancellationToken);
}
