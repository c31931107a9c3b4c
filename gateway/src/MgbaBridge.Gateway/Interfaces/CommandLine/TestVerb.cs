using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>test</c>: tests ROMs.</summary>
internal static class TestVerb
{
    private const int MaxJobs = 256;

    private static readonly string[] Endings = [".test.yaml", ".test.yml"];

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("test", "Test ROMs: run test files in emulators of their own", command =>
    {
        command.Description = "Test ROMs: run test files (docs/testing.md) in emulators of their own, as fast as possible. The exit code is 0 when all tests passed, 1 when one failed, "
            + "2 when a test file or the command line is wrong. Needs mgba-headless.";
        var paths = new Argument<string[]>("path")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Test files, and folders in which all files *.test.yaml are test files",
            CompletionSources = { Completions.Files },
        };
        var only = new Option<string?>("--only") { HelpName = "TEXT", Description = "Run only tests whose name contains this" };
        var jobs = new Option<int?>("--jobs", "-j") { HelpName = "N", Description = $"How many emulators run at once, 1 to {MaxJobs}; default: the number of processors" };
        var junit = new Option<string?>("--junit") { HelpName = "FILE", Description = "Write the outcomes as JUnit XML", CompletionSources = { Completions.Files } };
        var output = new Option<string?>("--output") { HelpName = "DIR", Description = "Where the files about failures are written; default: test-results", CompletionSources = { Completions.Files } };
        var update = new Option<bool>("--update") { Description = "Write pictures that are missing or differ instead of failing" };
        command.Add(paths);
        foreach (var option in new Option[] { only, jobs, junit, output, update })
        {
            command.Add(option);
        }

        Display.AddOptionsTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var count = result.GetValue(jobs) ?? Environment.ProcessorCount;
            if (count is < 1 or > MaxJobs)
            {
                throw VerbException.WrongUsage(string.Create(CultureInfo.InvariantCulture, $"--jobs is {count}; expected 1 to {MaxJobs}."));
            }

            var settings = new TestSettings(count, result.GetValue(only), result.GetValue(update), result.GetValue(output) ?? "test-results");
            var files = Read(result.GetValue(paths)!);
            if (settings.Only is { } text && !files.Any(file => file.Tests.Any(settings.Includes)))
            {
                throw VerbException.WrongUsage($"No test has \"{text}\" in its name.");
            }

            var outcomes = await RunAsync(new Display(result), files, settings, cancelled);
            if (result.GetValue(junit) is { } report)
            {
                WriteReport(report, outcomes);
            }

            cancelled.ThrowIfCancellationRequested();
            return outcomes.All(static outcome => outcome.Failure is null) ? ExitCodes.Done : ExitCodes.Refused;
        });
    });

    private static List<TestFile> Read(IReadOnlyList<string> paths)
    {
        var files = new List<TestFile>();
        foreach (var path in paths.SelectMany(FilesOf))
        {
            try
            {
                files.Add(TestFileReader.Read(path));
            }
            catch (TestFileException exception)
            {
                throw VerbException.WrongUsage(exception.Message);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                throw new VerbException(ExitCodes.FileError, $"{path} cannot be read: {exception.Message}");
            }
        }

        return files;
    }

    private static IEnumerable<string> FilesOf(string path)
    {
        if (!Directory.Exists(path))
        {
            return [path];
        }

        string[] found = [.. Directory.EnumerateFiles(path, "*", SearchOption.AllDirectories).Where(static file => Endings.Any(file.EndsWith)).Order(StringComparer.Ordinal)];
        return found.Length > 0 ? found : throw VerbException.WrongUsage($"{path} has no test files (*{Endings[0]}).");
    }

    private static async Task<IReadOnlyList<TestOutcome>> RunAsync(Display display, List<TestFile> files, TestSettings settings, CancellationToken cancelled)
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-test-");
        var data = new DataFolder(folder.FullName, NullLogger<DataFolder>.Instance);
        try
        {
            var options = new OwnedEmulatorOptions { HeadlessProgram = Environment.GetEnvironmentVariable("Bridge__Owned__HeadlessProgram") };
            var programs = new Programs(options, data);
            if (programs.Headless is null)
            {
                throw new VerbException(ExitCodes.Refused, programs.Missing(window: false));
            }

            EmulatorLauncher.BeginAnywhere();
            TestRunner? runner = null;
            runner = new TestRunner(programs, settings, outcome => Show(display, runner!, outcome));
            var outcomes = await runner.RunAsync(files, cancelled);
            ShowSum(display, outcomes);
            return outcomes;
        }
        finally
        {
            data.Dispose();
            folder.Delete(recursive: true);
        }
    }

    private static void Show(Display display, TestRunner runner, TestOutcome outcome)
    {
        var (file, test, failure, time) = outcome;
        if (display.IsJson)
        {
            display.Line(new JsonObject
            {
                ["file"] = file.Path,
                ["line"] = failure?.Line ?? test.Line,
                ["name"] = test.Name,
                ["passed"] = failure is null,
                ["ms"] = Math.Round(time.TotalMilliseconds, 1),
                ["frame"] = failure?.Frame,
                ["reason"] = failure?.Reason,
            }.ToJsonString());
        }
        else if (failure is not null)
        {
            var folder = runner.FolderOf(file, test);
            display.Line(string.Create(CultureInfo.InvariantCulture, $"{file.Path}:{failure.Line}: {test.Name}: {failure.Reason} (frame {failure.Frame})"));
            if (Directory.Exists(folder))
            {
                display.Line($"  {folder}");
            }
        }
    }

    private static void ShowSum(Display display, IReadOnlyList<TestOutcome> outcomes)
    {
        if (!display.IsJson)
        {
            var failed = outcomes.Count(static outcome => outcome.Failure is not null);
            display.Line(string.Create(CultureInfo.InvariantCulture, $"{outcomes.Count - failed} passed, {failed} failed"));
        }
    }

    private static void WriteReport(string path, IReadOnlyList<TestOutcome> outcomes)
    {
        try
        {
            using var file = File.Create(path);
            JUnitReport.Write(file, outcomes);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new VerbException(ExitCodes.FileError, $"{path} cannot be written: {exception.Message}");
        }
    }
}
