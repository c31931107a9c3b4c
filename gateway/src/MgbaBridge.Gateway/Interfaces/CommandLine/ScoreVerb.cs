using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Operations.Agents;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>score</c>: what agents reached, by the files of their runs.</summary>
internal static class ScoreVerb
{
    private const string Seconds = "0.0";

    private static readonly string[] Columns = ["file", "client", "game", "score", "milestones", "last", "calls", "failed", "presses", "seconds"];
    private static readonly string[] MilestoneColumns = ["milestone", "points", "emulator", "frame", "call", "seconds"];

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("score", "What agents reached, by the files of their runs", command =>
    {
        command.Description = "What agents reached: milestones of the game's pack with their points, calls, presses and time. Of one file with each milestone. The gateway writes the files into Mcp:RunFolder.";
        var files = new Argument<string[]>("file") { Description = "The files of runs (.jsonl); - is standard input", Arity = ArgumentArity.OneOrMore, CompletionSources = { Completions.Files } };
        command.Add(files);
        Display.AddOptionsTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var (runs, wrong) = (new List<RunScore>(), new List<string>());
            foreach (var file in result.GetValue(files)!)
            {
                if (RunScore.Of(file, Encoding.UTF8.GetString(await VerbFiles.ReadAsync(file, cancelled))) is { } run)
                {
                    runs.Add(run);
                }
                else
                {
                    wrong.Add($"{file} is not the file of a run: its first line has to be JSON with \"kind\": \"{AgentRun.Kind}\".");
                }
            }

            if (runs.Count > 0)
            {
                Write(new Display(result), runs);
            }

            if (wrong.Count > 0)
            {
                throw VerbException.WrongUsage(string.Join('\n', wrong));
            }
        });
    });

    private static void Write(Display display, List<RunScore> runs)
    {
        if (display.IsJson)
        {
            display.Line(new JsonArray([.. runs.Select(static run => run.ToJson())]).ToJsonString());
            return;
        }

        display.Table(Columns, [.. runs.Select(static run => new[]
        {
            run.File, Display.Plain(run.Client), Display.Plain(run.Game ?? ""), Of(run.Score, run.MaxScore), Of(run.Reached.Count, run.Milestones), Display.Plain(run.Reached is [.., var last] ? last.Name : ""),
            Text(run.Calls), Text(run.Failed), Text(run.Presses), run.Seconds.ToString(Seconds, CultureInfo.InvariantCulture),
        })]);
        if (runs is [var one])
        {
            display.Line("");
            display.Table(MilestoneColumns, [.. one.Reached.Select(static reached => new[]
            {
                Display.Plain(reached.Name), Text(reached.Points), Display.Plain(reached.Emulator ?? ""), Text(reached.Frame ?? 0), Text(reached.Call), reached.Seconds.ToString(Seconds, CultureInfo.InvariantCulture),
            })]);
        }
    }

    private static string Of(long number, long most) => most > 0 ? string.Create(CultureInfo.InvariantCulture, $"{number} of {most}") : Text(number);

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}

/// <summary>What an agent reached in a run.</summary>
/// <param name="File">The file.</param>
/// <param name="Client">The name of its program.</param>
/// <param name="Began">When the run began.</param>
internal sealed record RunScore(string File, string Client, DateTimeOffset Began)
{
    private readonly List<RunMilestone> _reached = [];

    /// <summary>The milestones, in the order in which they were reached.</summary>
    public IReadOnlyList<RunMilestone> Reached => _reached;

    /// <summary>The titles of the games with milestones.</summary>
    public string? Game { get; private set; }

    /// <summary>How many milestones they have.</summary>
    public long Milestones { get; private set; }

    /// <summary>The points of those that were reached.</summary>
    public long Score => _reached.Sum(static one => (long)one.Points);

    /// <summary>The points of all.</summary>
    public long MaxScore { get; private set; }

    /// <summary>How many calls of tools there were.</summary>
    public long Calls { get; private set; }

    /// <summary>How many of them failed.</summary>
    public long Failed { get; private set; }

    /// <summary>How many presses the game saw.</summary>
    public long Presses { get; private set; }

    /// <summary>Seconds from the beginning to the last line.</summary>
    public double Seconds { get; private set; }

    /// <summary>Reads the lines of a file; null when the first one is of another kind. A last line that was cut off is left out.</summary>
    public static RunScore? Of(string file, string text)
    {
        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        if (lines.Length == 0 || RunLine.Of(lines[0]) is not { Kind: AgentRun.Kind } first)
        {
            return null;
        }

        var run = new RunScore(file, first.Client ?? "", first.At);
        foreach (var line in lines.Skip(1).Select(RunLine.Of).OfType<RunLine>())
        {
            run.Add(line);
        }

        return run;
    }

    /// <summary>As JSON.</summary>
    public JsonNode ToJson() => new JsonObject
    {
        ["file"] = File,
        ["client"] = Client,
        ["game"] = Game,
        ["score"] = Score,
        ["maxScore"] = MaxScore,
        ["milestones"] = new JsonArray([.. _reached.Select(static one => (JsonNode)new JsonObject
        {
            ["name"] = one.Name, ["points"] = one.Points, ["emulator"] = one.Emulator, ["frame"] = one.Frame, ["call"] = one.Call, ["seconds"] = one.Seconds,
        })]),
        ["calls"] = Calls,
        ["failed"] = Failed,
        ["presses"] = Presses,
        ["seconds"] = Seconds,
    };

    private void Add(RunLine line)
    {
        Seconds = Math.Max(Seconds, Math.Round((line.At - Began).TotalSeconds + ((line.Milliseconds ?? 0) / 1_000), 1));
        if (line.Tool is not null)
        {
            Calls++;
            Failed += line.Outcome == AgentOutcome.Done ? 0 : 1;
            Presses += line.Presses ?? 0;
        }
        else if (line.Milestone is { } milestone)
        {
            _reached.Add(new RunMilestone(milestone, line.Points ?? 0, line.Emulator, line.Frame, Calls + 1, Math.Round((line.At - Began).TotalSeconds, 1)));
        }
        else if (line.Game is { } game)
        {
            Game = Game is null ? game : $"{Game}, {game}";
            MaxScore += line.MaxPoints ?? 0;
            Milestones += line.Milestones ?? 0;
        }
    }
}

/// <summary>A milestone that an agent reached.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Points">Its points.</param>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame in which it was seen.</param>
/// <param name="Call">The number of the call in which it was seen, from 1.</param>
/// <param name="Seconds">Seconds since the beginning of the run.</param>
internal sealed record RunMilestone(string Name, int Points, string? Emulator, long? Frame, long Call, double Seconds);
