using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Runs tests, several at once, each in an emulator that runs as fast as possible.</summary>
/// <param name="programs">The emulators of this machine.</param>
/// <param name="settings">How to run them.</param>
/// <param name="ended">Called with each outcome, one at a time.</param>
internal sealed class TestRunner(Programs programs, TestSettings settings, Action<TestOutcome> ended)
{
    // an emulator for fewer tests would start for longer than they take
    private const int TestsOfEmulator = 32;

    private const int MaxFileName = 80;

    private readonly Lock _reporting = new();

    /// <summary>Runs the tests of files. The outcomes are in the order of the files; those that did not run before the caller left are missing.</summary>
    public async Task<IReadOnlyList<TestOutcome>> RunAsync(IReadOnlyList<TestFile> files, CancellationToken cancelled)
    {
        var groups = new ConcurrentQueue<(int Order, TestFile File, GameTest[] Tests)>(files
            .SelectMany(file => Chosen(file).Chunk(TestsOfEmulator).Select(tests => (file, tests)))
            .Select(static (group, order) => (order, group.file, group.tests)));
        var outcomes = new ConcurrentBag<(int Order, IReadOnlyList<TestOutcome> Outcomes)>();
        await Task.WhenAll(Enumerable.Range(0, settings.Jobs).Select(_ => Task.Run(
            async () =>
            {
                while (!cancelled.IsCancellationRequested && groups.TryDequeue(out var group))
                {
                    outcomes.Add((group.Order, await RunAsync(group.File, group.Tests, cancelled)));
                }
            },
            CancellationToken.None)));
        return [.. outcomes.OrderBy(static group => group.Order).SelectMany(static group => group.Outcomes)];
    }

    /// <summary>The folder of the files about a failure.</summary>
    public string FolderOf(TestFile file, GameTest test) => Path.Combine(
        settings.Output, FileName(Path.GetFileNameWithoutExtension(file.Path)), string.Create(CultureInfo.InvariantCulture, $"{test.Number:000}-{FileName(test.Name)}"));

    private IEnumerable<GameTest> Chosen(TestFile file) => file.Tests.Where(settings.Includes);

    private async Task<List<TestOutcome>> RunAsync(TestFile file, GameTest[] tests, CancellationToken cancelled)
    {
        var outcomes = new List<TestOutcome>();
        TestEmulator? emulator = null;
        try
        {
            foreach (var test in tests)
            {
                var began = TimeProvider.System.GetTimestamp();
                TestFailure? failure;
                DeleteFiles(FolderOf(file, test));
                try
                {
                    emulator ??= await StartAsync(file, cancelled);
                    failure = await RunAsync(emulator, file, test, cancelled);
                }
                catch (Exception exception) when (exception is TestEmulatorException or TestStepException)
                {
                    failure = new TestFailure(test.Line, emulator?.Frames ?? 0, exception.Message);
                    emulator = await EndAsync(emulator);
                }

                var outcome = new TestOutcome(file, test, failure, TimeProvider.System.GetElapsedTime(began));
                outcomes.Add(outcome);
                lock (_reporting)
                {
                    ended(outcome);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // the caller has left: those that have ended count
        }
        finally
        {
            await EndAsync(emulator);
        }

        return outcomes;
    }

    private async Task<TestEmulator> StartAsync(TestFile file, CancellationToken cancelled)
    {
        var emulator = await TestEmulator.StartAsync(programs, file, cancelled);
        try
        {
            var setup = await new TestRun(emulator, TestFileReader.MaxFrames, settings.UpdatesPictures).RunAsync(file.Setup, cancelled);
            if (setup is not null)
            {
                throw new TestStepException(string.Create(CultureInfo.InvariantCulture, $"The setup failed in line {setup.Line}: {setup.Reason}"));
            }

            await emulator.KeepStartAsync(cancelled);
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
        var run = new TestRun(emulator, test.Frames, settings.UpdatesPictures);
        var failure = await run.RunAsync(test.Steps, cancelled);
        if (test.ExpectsFailure)
        {
            return failure is null ? new TestFailure(test.Line, emulator.Frames, "The test passed; expect-failure says that it fails.") : null;
        }

        if (failure is not null)
        {
            await SaveAsync(emulator, FolderOf(file, test), run, failure, cancelled);
        }

        return failure;
    }

    private static async Task SaveAsync(TestEmulator emulator, string folder, TestRun run, TestFailure failure, CancellationToken cancelled)
    {
        Directory.CreateDirectory(folder);
        await emulator.ReadLogAsync(cancelled);
        (string Name, byte[] Content)[] files =
        [
            ("failure.txt", Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"line {failure.Line}, frame {failure.Frame}: {failure.Reason}\n"))),
            ("picture.png", await emulator.ReadScreenAsync(cancelled)),
            ("state.ss", await emulator.SaveStateAsync(cancelled)),
            ("keys.txt", Text(run.Inputs)),
            ("log.txt", Text(emulator.Log)),
            .. run.Files,
        ];
        foreach (var (name, content) in files)
        {
            await File.WriteAllBytesAsync(Path.Combine(folder, name), content, cancelled);
        }
    }

    private static byte[] Text(IReadOnlyList<string> lines) => Encoding.UTF8.GetBytes(string.Concat(lines.Select(static line => $"{line}\n")));

    private static string FileName(string name) => string.Concat(name.Take(MaxFileName).Select(static letter => char.IsLetterOrDigit(letter) || letter is '-' or '.' ? letter : '-'));

    // of an earlier run
    private static void DeleteFiles(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }

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
/// <param name="Only">Only tests with this in their name; null for all.</param>
/// <param name="UpdatesPictures">Whether pictures that differ are written instead of failing.</param>
/// <param name="Output">The folder for files about failures.</param>
internal sealed record TestSettings(int Jobs, string? Only, bool UpdatesPictures, string Output)
{
    /// <summary>Whether a test is run.</summary>
    public bool Includes(GameTest test) => Only is null || test.Name.Contains(Only, StringComparison.OrdinalIgnoreCase);
}

/// <summary>What came of a test.</summary>
/// <param name="File">Its file.</param>
/// <param name="Test">The test.</param>
/// <param name="Failure">Why it failed; null when it passed.</param>
/// <param name="Time">How long it took.</param>
internal sealed record TestOutcome(TestFile File, GameTest Test, TestFailure? Failure, TimeSpan Time);
