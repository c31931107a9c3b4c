using System.CommandLine;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Testing;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>test</c>: tests ROMs.</summary>
internal static class TestVerb
{
    private const int MaxJobs = 256;
    private const string DefaultOutput = "test-results";
    private const int DefaultSwi = 3;
    private const int MaxSwi = 255;

    private static readonly TimeSpan WatchInterval = TimeSpan.FromMilliseconds(300);

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("test", "Test ROMs: run test files in emulators of their own", command =>
    {
        command.Description = "Test ROMs (docs/testing.md) in emulators of their own, as fast as possible. The exit code is 0 when all tests passed, 1 when one failed, "
            + "2 when a test file or the command line is wrong. Needs mgba-headless.";
        var paths = new Argument<string[]>("path")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Test files, ROMs that test themselves, and folders with test files (*.test.yaml), ROMs or picture tests in mGBA's layout",
            CompletionSources = { Completions.Files },
        };
        var only = new Option<string?>("--only") { HelpName = "TEXT", Description = "Run only tests whose name contains this; of ROMs that test themselves, those whose path does" };
        var shard = new Option<string?>("--shard") { HelpName = "PART/PARTS", Description = "Run only this part of the tests, such as 1/4" };
        var jobs = new Option<int?>("--jobs", "-j") { HelpName = "N", Description = $"How many emulators run at once, 1 to {MaxJobs}; default: the number of processors" };
        var junit = new Option<string?>("--junit") { HelpName = "FILE", Description = "Write the outcomes as JUnit XML", CompletionSources = { Completions.Files } };
        var output = new Option<string?>("--output") { HelpName = "DIR", Description = "Where the files about failures are written; default: test-results", CompletionSources = { Completions.Files } };
        var update = new Option<bool>("--update") { Description = "Write pictures and save data that are missing or differ instead of failing" };
        var twice = new Option<bool>("--twice") { Description = "Run everything twice: a test that ends in another way the second time has failed" };
        var watch = new Option<bool>("--watch") { Description = "Run the tests again when a file of them changes, until Ctrl-C" };
        var frames = new Option<long?>("--frames") { HelpName = "N", Description = $"The most frames of a ROM that tests itself, 1 to {TestFileReader.MaxFrames}, which is the default" };
        var swi = new Option<int?>("--swi") { HelpName = "N", Description = $"The SWI by which a ROM that tests itself ends, 0 to {MaxSwi}; default: {DefaultSwi}. The exit code is in r0" };
        var rule = new Option<string?>("--rule") { HelpName = "NAME", Description = "Judge all ROMs by this rule, instead of the one that fits (docs/testing.md)" };
        var coverage = new Option<string?>("--coverage") { HelpName = "FILE", Description = "Write which functions and lines of the sources were executed as LCOV; needs the games' ELF files, or symbols", CompletionSources = { Completions.Files } };
        var saves = new Option<string?>("--saves") { HelpName = "DIR", Description = "Leave what each game has saved there", CompletionSources = { Completions.Files } };
        var model = new Option<string?>("--model") { HelpName = "NAME", Description = "The console of GB ROMs; default: that of the rule, or what mGBA chooses. Test files have a field of this name" };
        model.AcceptOnlyFromAmong([.. EmulatorOption.All.Single(static option => option.Name == "model").Choices]);
        var config = new Option<string[]>("--config", "-C") { HelpName = "KEY=VALUE", Description = "A setting of mGBA for ROMs, such as logLevel.gba.dma=16; may be given several times. Test files have a field of this name" };
        command.Add(paths);
        foreach (var option in new Option[] { only, shard, jobs, junit, output, update, watch, rule, frames, swi, model, config, saves, coverage, twice })
        {
            command.Add(option);
        }

        Display.AddOptionsTo(command);
        command.SetAction(async result =>
        {
            var part = result.GetValue(shard) is not { } text ? (Part: 1, Parts: 1)
                : TestSelection.TryParseShard(text, out var read) ? read
                : throw VerbException.WrongUsage($"--shard is \"{text}\"; expected PART/PARTS, such as 1/4, with up to {TestSelection.MaxParts} parts.");
            var run = new Run(
                new Display(result),
                result.InvocationConfiguration.Error,
                result.GetValue(paths)!,
                result.GetValue(rule),
                new TestSelection(result.GetValue(only), part.Part, part.Parts),
                new TestSettings(
                    (int)InRange(result, jobs, Environment.ProcessorCount, 1, MaxJobs),
                    result.GetValue(update),
                    InRange(result, frames, TestFileReader.MaxFrames, 1, TestFileReader.MaxFrames),
                    (int)InRange(result, swi, DefaultSwi, 0, MaxSwi))
                {
                    Machine = new EmulatorOptions { Model = result.GetValue(model), Config = Settings(result.GetValue(config)) },
                    Coverage = result.GetValue(coverage) is null ? null : new Coverage(),
                    Saves = result.GetValue(saves) is { } folder ? new SaveFiles(folder) : null,
                },
                new FailureFiles(result.GetValue(output) ?? DefaultOutput),
                result.GetValue(junit),
                result.GetValue(coverage),
                result.GetValue(twice) ? new FailureFiles(Path.Combine(result.GetValue(output) ?? DefaultOutput, "second-run")) : null);

            var exitCode = 0;
            using var stop = new CancellationTokenSource();
            using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
            using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
            var code = result.GetValue(watch) ? await run.WatchAsync(stop.Token) : await run.OnceAsync(stop.Token);
            return exitCode == 0 ? code : exitCode;

            void Stop(PosixSignalContext context)
            {
                context.Cancel = true;
                exitCode = Programs.Signal + (context.Signal == PosixSignal.SIGINT ? 2 : 15);
                stop.Cancel();
            }
        });
    });

    private static string[]? Settings(string[]? given) => given is not { Length: > 0 } ? null
        : given.FirstOrDefault(static setting => setting.IndexOf('=', StringComparison.Ordinal) < 1) is { } wrong ? throw VerbException.WrongUsage($"--config is \"{wrong}\"; expected KEY=VALUE, such as logLevel.gba.dma=16.")
        : given;

    private static long InRange<T>(ParseResult result, Option<T?> option, long byDefault, long least, long greatest)
        where T : struct, IConvertible
    {
        var number = result.GetValue(option)?.ToInt64(CultureInfo.InvariantCulture) ?? byDefault;
        return number >= least && number <= greatest ? number
            : throw VerbException.WrongUsage(string.Create(CultureInfo.InvariantCulture, $"{option.Name} is {number}; expected {least} to {greatest}."));
    }

    private sealed record Run(Display Display, TextWriter Error, string[] Paths, string? Rule, TestSelection Selection, TestSettings Settings, FailureFiles Files, string? Report, string? CoverageReport, FailureFiles? Second)
    {
        /// <summary>Runs the tests, also when some files are wrong.</summary>
        public async Task<int> OnceAsync(CancellationToken cancelled)
        {
            var (found, problems) = TestSources.Read(Paths, Settings.Updates, Rule);
            var sources = Selection.Of(found);
            if (sources.Count == 0 && problems.Count == 0 && Selection.Only is { } text)
            {
                throw VerbException.WrongUsage($"No test has \"{text}\" in its name.");
            }

            foreach (var problem in problems)
            {
                await StartFailures.SayAsync(Error, problem.Reason);
            }

            Settings.Coverage?.Clear();
            var outcomes = sources.Count > 0 ? await RunAsync(sources, cancelled) : [];
            if (CoverageReport is not null)
            {
                await WriteCoverageAsync(CoverageReport, Settings.Coverage!);
            }

            if (Report is not null)
            {
                var unread = problems.Select(static problem => new TestOutcome(new TestId(problem.Path, 0, Path.GetFileName(problem.Path), problem.Line), new TestFailure(problem.Line, null, problem.Reason), TimeSpan.Zero));
                WriteReport(Report, [.. outcomes, .. unread]);
            }

            return problems.Any(static problem => problem.IsOfTheFile) ? ExitCodes.FileError
                : problems.Count > 0 || outcomes.Any(static outcome => outcome.Failure is { IsMistake: true }) ? ExitCodes.BadSettings
                : outcomes.All(static outcome => outcome.Failure is null) ? ExitCodes.Done
                : ExitCodes.Refused;
        }

        /// <summary>Runs them whenever a file changes.</summary>
        public async Task<int> WatchAsync(CancellationToken cancelled)
        {
            while (!cancelled.IsCancellationRequested)
            {
                var before = TestSources.Stamps(Paths);
                try
                {
                    await OnceAsync(cancelled);
                }
                catch (VerbException exception)
                {
                    Display.Line(exception.Message);
                }

                await WaitForChangeAsync(before, cancelled);
            }

            return ExitCodes.Done;
        }

        // and until all is written: a compiler writes a file in several steps
        private async Task WaitForChangeAsync(IReadOnlySet<string> before, CancellationToken cancelled)
        {
            var seen = before;
            while (!cancelled.IsCancellationRequested)
            {
                await Task.Delay(WatchInterval, cancelled).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                var now = TestSources.Stamps(Paths);
                if (!now.SetEquals(before) && now.SetEquals(seen))
                {
                    return;
                }

                seen = now;
            }
        }

        private async Task<IReadOnlyList<TestOutcome>> RunAsync(IReadOnlyList<TestSource> sources, CancellationToken cancelled)
        {
            using var temporary = new TemporaryPrograms("mgba-bridge-test-");
            var programs = temporary.Programs;
            if (programs.Headless is null)
            {
                throw new VerbException(ExitCodes.Refused, programs.Missing(window: false));
            }

            EmulatorLauncher.BeginAnywhere();
            var outcomes = await Display.WithProgressAsync(
                sources.Sum(TestSelection.Count) * (Second is null ? 1 : 2), async (write, ended) =>
                {
                    var first = await new TestRunner(programs, Settings, Files, outcome => Show(outcome, write, ended)).RunAsync(sources, cancelled);
                    if (Second is null || cancelled.IsCancellationRequested)
                    {
                        return first;
                    }

                    var compared = FlakyTests.In(first, await new TestRunner(programs, Settings, Second, _ => ended()).RunAsync(sources, cancelled));
                    foreach (var flaky in compared.Except(first))
                    {
                        Show(flaky, write, static () => { });
                    }

                    return compared;
                });
            if (!Display.IsJson)
            {
                foreach (var rule in outcomes.Where(static outcome => outcome.Test.Rule is not null).GroupBy(static outcome => outcome.Test.Rule!).OrderBy(static rule => rule.Key, StringComparer.Ordinal))
                {
                    Display.Line(string.Create(CultureInfo.InvariantCulture, $"rule {rule.Key}: {rule.Count(static outcome => outcome.Failure is null && outcome.Skipped is null)} of {rule.Count()} passed"));
                }

                var (failed, skipped) = (outcomes.Count(static outcome => outcome.Failure is not null), outcomes.Count(static outcome => outcome.Skipped is not null));
                Display.Line(string.Create(CultureInfo.InvariantCulture, $"{outcomes.Count - failed - skipped} passed, {failed} failed{(skipped > 0 ? $", {skipped} skipped" : "")}"));
            }

            return outcomes;
        }

        private void Show(TestOutcome outcome, Action<string> write, Action ended)
        {
            var (test, failure, time, skipped) = outcome;
            ended();
            if (Display.IsJson)
            {
                write(new JsonObject
                {
                    ["file"] = test.File,
                    ["rom"] = test.Source is null ? null : test.Path,
                    ["rule"] = test.Rule,
                    ["line"] = failure?.Line ?? test.Line,
                    ["name"] = test.Name,
                    ["passed"] = failure is null && skipped is null,
                    ["skipped"] = skipped,
                    ["ms"] = Math.Round(time.TotalMilliseconds, 1),
                    ["frame"] = failure?.Frame,
                    ["reason"] = failure?.Reason,
                }.ToJsonString());
            }
            else if (failure is not null)
            {
                var folder = Files.FolderOf(test);
                write(Display.Plain(string.Create(CultureInfo.InvariantCulture, $"{test.File}:{failure.Line}: {test.Name}: {failure.Reason}{(failure.Frame is { } frame ? $" (frame {frame})" : "")}{(test.Rule is { } rule ? $" (rule {rule})" : "")}")));
                if (Directory.Exists(folder))
                {
                    write($"  {folder}");
                }

                if (GitHubAnnotation.IsWanted)
                {
                    write(GitHubAnnotation.Of(test, failure));
                }
            }
            else if (skipped == TestRunner.NoRule)
            {
                write($"{test.Path}: {skipped}");
            }
        }

        private async Task WriteCoverageAsync(string path, Coverage coverage)
        {
            coverage.Resolve();
            foreach (var problem in coverage.Problems)
            {
                await StartFailures.SayAsync(Error, problem);
            }

            try
            {
                await using var file = File.CreateText(path);
                LcovReport.Write(file, coverage);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                throw new VerbException(ExitCodes.FileError, $"{path} cannot be written: {exception.Message}");
            }

            if (!Display.IsJson)
            {
                var (functions, lines) = (coverage.Files.Values.SelectMany(static file => file.Functions.Values).ToList(), coverage.Files.Values.SelectMany(static file => file.Lines.Values).ToList());
                Display.Line(string.Create(CultureInfo.InvariantCulture, $"executed: {functions.Count(static function => function.Count > 0)} of {functions.Count} functions, {lines.Count(static count => count > 0)} of {lines.Count} lines"));
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
}
