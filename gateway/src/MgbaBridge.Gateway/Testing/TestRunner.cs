using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Runs tests, several at once, each in an emulator that runs as fast as possible.</summary>
/// <param name="programs">The emulators of this machine.</param>
/// <param name="settings">How to run them.</param>
/// <param name="files">The files about failures.</param>
/// <param name="ended">Called with each outcome, one at a time.</param>
internal sealed class TestRunner(Programs programs, TestSettings settings, FailureFiles files, Action<TestOutcome> ended)
{
    // an emulator for fewer tests would start for longer than they take
    private const int TestsOfEmulator = 32;

    private const string State = "state.ss";
    /// <summary>Why a ROM of a folder was not run.</summary>
    public const string NoRule = "No rule fits this ROM: name one with --rule, or write one beside it (*.rule.yaml).";
    private const string NotRun = "The run was ended before this test.";

    private readonly Lock _reporting = new();

    /// <summary>Runs tests. The outcomes are in their order; tests that did not run before the caller left are skipped.</summary>
    public async Task<IReadOnlyList<TestOutcome>> RunAsync(IReadOnlyList<TestSource> sources, CancellationToken cancelled)
    {
        var groups = new ConcurrentQueue<(int Order, TestSource Source, GameTest[] Tests)>(sources
            .SelectMany(static source => source is TestFile file ? file.Tests.Chunk(TestsOfEmulator).Select(tests => (source, tests)) : [(source, [])])
            .Select(static (group, order) => (order, group.source, group.tests)));
        var outcomes = new ConcurrentBag<(int Order, IReadOnlyList<TestOutcome> Outcomes)>();
        await Task.WhenAll(Enumerable.Range(0, settings.Jobs).Select(_ => Task.Run(
            async () =>
            {
                while (groups.TryDequeue(out var group))
                {
                    outcomes.Add((group.Order, group.Source switch
                    {
                        TestFile file => await RunAsync(file, group.Tests, cancelled),
                        RuledRom rom => [await RunAsync(rom, cancelled)],
                        UnruledRom rom => [Report(new TestOutcome(new TestId(rom.Path, 1, Path.GetFileName(rom.Path), 1), null, TimeSpan.Zero, NoRule))],
                        var other => await RunAsync((SelfTestRom)other, cancelled),
                    }));
                }
            },
            CancellationToken.None)));
        return [.. outcomes.OrderBy(static group => group.Order).SelectMany(static group => group.Outcomes)];
    }

    private async Task<TestOutcome> RunAsync(RuledRom rom, CancellationToken cancelled)
    {
        var test = new TestId(rom.Path, rom.Number, Path.GetFileName(rom.Path), 1) { Rule = rom.Rule.Name };
        var began = TimeProvider.System.GetTimestamp();
        TestFailure? failure = null;
        try
        {
            cancelled.ThrowIfCancellationRequested();
            files.Delete(test);
            var verdict = await new RuleRun(programs.Headless!, rom.Rule, settings).RunAsync(rom.Path, cancelled);
            settings.Saves?.Leave(test, verdict.Save);
            if (verdict.Failure is { } reason)
            {
                failure = files.Save(test, new TestFailure(1, null, reason), [("failure.txt", Text([$"rule {rom.Rule.Name} ({rom.Rule.Where}): {reason}"])), ("log.txt", Text(verdict.Lines)), .. verdict.Files]);
            }
        }
        catch (OperationCanceledException)
        {
            return new TestOutcome(test, null, TimeSpan.Zero, NotRun);
        }
        catch (Exception exception) when (exception is TestStepException or IOException or UnauthorizedAccessException or RegexMatchTimeoutException)
        {
            failure = new TestFailure(1, null, exception.Message);
        }

        return Report(new TestOutcome(test, failure, TimeProvider.System.GetElapsedTime(began)));
    }

    private async Task<List<TestOutcome>> RunAsync(SelfTestRom rom, CancellationToken cancelled)
    {
        var whole = new TestId(rom.Path, 1, Path.GetFileName(rom.Path), 1);
        var outcomes = new List<TestOutcome>();
        var began = TimeProvider.System.GetTimestamp();
        try
        {
            cancelled.ThrowIfCancellationRequested();
            var save = await new SelfTestRun(programs.Headless!, settings).RunAsync(rom, Add, cancelled);
            settings.Saves?.Leave(whole, save);
        }
        catch (TestStepException exception)
        {
            Report(outcomes, new TestOutcome(whole with { Number = outcomes.Count + 1 }, new TestFailure(1, null, exception.Message), TimeSpan.Zero));
        }
        catch (OperationCanceledException)
        {
            outcomes.Add(new TestOutcome(whole with { Number = outcomes.Count + 1 }, null, TimeSpan.Zero, NotRun));
        }

        return outcomes;

        void Add(SelfTestResult result)
        {
            var failure = result.Verdict == SelfTestVerdict.Failed ? new TestFailure(result.Test.Line, null, result.Reason) : null;
            try
            {
                files.Delete(result.Test);
                failure = failure is null ? null : files.Save(result.Test, failure, [("failure.txt", Text([result.Reason])), ("log.txt", Text(result.Lines)), .. result.Files]);
            }
            catch (TestStepException exception)
            {
                failure ??= new TestFailure(result.Test.Line, null, exception.Message);
            }

            Report(outcomes, new TestOutcome(result.Test, failure, TimeProvider.System.GetElapsedTime(began), result.Verdict == SelfTestVerdict.Skipped ? result.Reason : null));
            began = TimeProvider.System.GetTimestamp();
        }
    }

    private async Task<List<TestOutcome>> RunAsync(TestFile file, GameTest[] tests, CancellationToken cancelled)
    {
        var outcomes = new List<TestOutcome>();
        TestEmulator? emulator = null;
        TestEmulatorException? mistake = null; // no test of the file can run
        try
        {
            foreach (var test in tests)
            {
                cancelled.ThrowIfCancellationRequested();
                var began = TimeProvider.System.GetTimestamp();
                TestFailure? failure;
                try
                {
                    files.Delete(test.Id);
                    emulator ??= mistake is null ? await StartAsync(file, cancelled) : throw mistake;
                    failure = await RunAsync(emulator, file, test, cancelled);
                    emulator = emulator.HasEnded ? await EndAsync(emulator) : emulator;
                }
                catch (Exception exception) when (exception is TestEmulatorException or TestStepException or TestFileException)
                {
                    mistake = exception is TestEmulatorException { IsMistake: true } wrong ? wrong : null;
                    failure = new TestFailure(test.Id.Line, emulator?.Frames ?? 0, exception.Message) { IsMistake = mistake is not null || exception is TestStepException { IsMistake: true } or TestFileException };
                    failure = failure.IsMistake ? failure : files.Save(test.Id, failure, [("failure.txt", Text([exception.Message])), .. exception is TestStepException { Files: var moment } ? moment : [("log.txt", Text(emulator?.Log ?? []))]]);
                    emulator = await EndAsync(emulator);
                }

                Report(outcomes, new TestOutcome(test.Id, failure, TimeProvider.System.GetElapsedTime(began)));
            }
        }
        catch (OperationCanceledException)
        {
            outcomes.AddRange(tests.Skip(outcomes.Count).Select(static test => new TestOutcome(test.Id, null, TimeSpan.Zero, NotRun)).ToList());
        }
        finally
        {
            await EndAsync(emulator);
        }

        return outcomes;
    }

    private void Report(List<TestOutcome> outcomes, TestOutcome outcome) => outcomes.Add(Report(outcome));

    private TestOutcome Report(TestOutcome outcome)
    {
        lock (_reporting)
        {
            ended(outcome);
        }

        return outcome;
    }

    private async Task<TestEmulator> StartAsync(TestFile file, CancellationToken cancelled)
    {
        var emulator = await TestEmulator.StartAsync(programs, file, cancelled, settings.Coverage);
        try
        {
            var run = new TestRun(emulator, TestFileReader.MaxFrames, settings.Updates);
            if (await run.RunAsync(file.Setup, cancelled) is { } setup)
            {
                throw new TestStepException(string.Create(CultureInfo.InvariantCulture, $"The setup failed in line {setup.Line}: {setup.Reason}"), setup.IsMistake) { Files = await MomentAsync(emulator, run, cancelled) };
            }

            if (!file.IsSingle)
            {
                await emulator.KeepStartAsync(cancelled);
            }

            return emulator;
        }
        catch
        {
            await emulator.DisposeAsync();
            throw;
        }
    }

    private async Task<TestFailure?> RunAsync(TestEmulator emulator, TestFile file, GameTest test, CancellationToken cancelled)
    {
        await emulator.BeginAsync(cancelled);
        var run = new TestRun(emulator, test.Frames, settings.Updates && !test.ExpectsFailure);
        var failure = await run.RunAsync(test.Steps, cancelled);
        if (settings.Saves is { } saves && emulator.HasStates)
        {
            saves.Leave(test.Id, await emulator.ReadSaveAsync(cancelled));
        }

        if (test.ExpectsFailure && failure is not { IsMistake: true } && !emulator.HasEnded)
        {
            return failure is null ? new TestFailure(test.Id.Line, emulator.Frames, "The test passed; it is expected to fail.") : null;
        }

        if (failure is null)
        {
            return null;
        }

        return files.Save(
            test.Id,
            failure,
            [
                ("failure.txt", Text([string.Create(CultureInfo.InvariantCulture, $"line {failure.Line}, frame {failure.Frame}: {failure.Reason}"), .. file.IsSingle ? [] : new[] { Opens(file, test) }])),
                .. await MomentAsync(emulator, run, cancelled),
            ]);
    }

    // what is known of the moment of a failure
    private static async Task<(string Name, byte[] Content)[]> MomentAsync(TestEmulator emulator, TestRun run, CancellationToken cancelled)
    {
        await emulator.ReadLogAsync(cancelled);
        return
        [
            ("picture.png", await emulator.ReadScreenAsync(cancelled)),
            .. emulator.HasStates ? new[] { (State, await emulator.SaveStateAsync(cancelled)) } : [],
            ("keys.txt", Text(run.Inputs)),
            ("log.txt", Text(emulator.Log)),
            .. run.Files,
        ];
    }

    // the command that opens the moment of the failure on the page, with the clock of the state and without files that the test does not name
    private string Opens(TestFile file, GameTest test)
    {
        var options = file.Options with
        {
            State = Path.Combine(files.FolderOf(test.Id), State),
            Paused = true,
            Clock = null,
            NoAuto = (FilesBesideRom.PatchOf(file.Rom) ?? FilesBesideRom.CheatsOf(file.Rom)) is not null,
        };
        return $"mgba-bridge run \"{file.Rom}\" {string.Join(' ', options.RunArguments)}";
    }

    private static byte[] Text(IEnumerable<string> lines) => Encoding.UTF8.GetBytes(string.Concat(lines.Select(static line => $"{line}\n")));

    private static async Task<TestEmulator?> EndAsync(TestEmulator? emulator)
    {
        if (emulator is not null)
        {
            await emulator.DisposeAsync();
        }

        return null;
    }
}

/// <summary>How tests are run.</summary>
/// <param name="Jobs">How many emulators at once.</param>
/// <param name="Updates">Whether pictures and save data that differ are written instead of failing.</param>
/// <param name="Frames">The most frames of a ROM that tests itself.</param>
/// <param name="Swi">The SWI that ends such a ROM.</param>
internal sealed record TestSettings(int Jobs, bool Updates, long Frames, int Swi)
{
    /// <summary>Console and settings of mGBA for ROMs, which test files say themselves.</summary>
    public EmulatorOptions Machine { get; init; } = new();

    /// <summary>What is executed; null where it is not counted.</summary>
    public Coverage? Coverage { get; init; }

    /// <summary>Where what games have saved is left; null for nowhere.</summary>
    public SaveFiles? Saves { get; init; }
}

/// <summary>What came of a test.</summary>
/// <param name="Test">The test.</param>
/// <param name="Failure">Why it failed; null when it did not.</param>
/// <param name="Time">How long it took.</param>
/// <param name="Skipped">Why it did not run, or does not count; null when it does.</param>
internal sealed record TestOutcome(TestId Test, TestFailure? Failure, TimeSpan Time, string? Skipped = null);
