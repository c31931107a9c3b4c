using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class SupervisionTests
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMilliseconds(500);

    private readonly ManualTime _time = new();

    [Fact]
    public async Task Answer_ToACommandThatNobodyWaitsForAnyMore_IsNotThatOfTheNext()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await emulator.StopAsync();
        var abandoned = await emulator.Process.CommandAsync("fps", "nonsense", TimeSpan.Zero, TestContext.Current.CancellationToken);
        var next = emulator.Process.CommandAsync("fps", "60", Eventually.TimeLimit, TestContext.Current.CancellationToken);
        emulator.Continue();
        Assert.Equal((CommandOutcome.NoAnswer, CommandOutcome.Done), (abandoned.Outcome, (await next).Outcome));
    }

    [Fact]
    public void Hang_OfAProcessThatAnswers_IsNone()
    {
        var detector = new HangDetector(Timeout, _time);
        Assert.Null(LookFor(detector, TimeSpan.FromMinutes(1), ProcessState.Runnable, cpuShare: 1, answers: true));
    }

    [Theory]
    [InlineData(nameof(ProcessState.Waiting), 0, 0.7)]
    [InlineData(nameof(ProcessState.Runnable), 1, 0.7)]
    [InlineData(nameof(ProcessState.Stopped), 0, 0.7)]
    [InlineData(nameof(ProcessState.Runnable), 0.02, 25)] // a busy machine: it gets a fiftieth of a processor
    [InlineData(nameof(ProcessState.Runnable), 0, double.PositiveInfinity)] // none at all
    [InlineData(nameof(ProcessState.Waiting), 0, 2.5, 0.8)] // it is woken late
    [InlineData(nameof(ProcessState.WaitingForDisk), 0, double.PositiveInfinity)]
    [InlineData(nameof(ProcessState.Traced), 0, double.PositiveInfinity)]
    public void Hang_OfASilentProcess_IsFoundAfterItHadTimeToAnswer(string state, double cpuShare, double seconds, double delayShare = 0)
    {
        var detector = new HangDetector(Timeout, _time);
        var found = LookFor(detector, TimeSpan.FromMinutes(1), Enum.Parse<ProcessState>(state), cpuShare, answers: false, delayShare);
        Assert.InRange(found?.TotalSeconds ?? double.PositiveInfinity, seconds - 0.21, double.IsInfinity(seconds) ? seconds : seconds + 0.21);
    }

    /// <summary>The gateway itself had no processor, and has not yet read what the emulator answered meanwhile.</summary>
    [Fact]
    public void Hang_OfAProcessThatWasNotLookedAtForLong_IsNone()
    {
        var detector = new HangDetector(Timeout, _time);
        Assert.Null(detector.Check(answers: false, default));
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Null(detector.Check(answers: false, default));
        Assert.Null(detector.Check(answers: true, default));
    }

    [Fact]
    public void Restarts_InARow_WaitLongerAndUseOlderStates()
    {
        var policy = new RestartPolicy(_time);
        StoredState[] states = [State("newest"), State("middle"), State("oldest")];
        Assert.Equal((TimeSpan.Zero, "newest"), (policy.Failed(), policy.Candidates(states).First().Name));
        Assert.Equal((TimeSpan.FromSeconds(0.5), "newest"), (policy.Failed(), policy.Candidates(states).First().Name));
        Assert.Equal((TimeSpan.FromSeconds(1), "middle"), (policy.Failed(), policy.Candidates(states).First().Name));
        Assert.Equal((TimeSpan.FromSeconds(2), "oldest"), (policy.Failed(), policy.Candidates(states).First().Name));
        Assert.Equal([4, 8, 16, 30, 30], Enumerable.Range(0, 5).Select(_ => policy.Failed().TotalSeconds));
        Assert.Empty(policy.Candidates(states));

        policy.Answered();
        _time.Advance(RestartPolicy.StableAfter);
        Assert.Equal((TimeSpan.Zero, "newest"), (policy.Failed(), policy.Candidates(states).First().Name));
    }

    [Fact]
    public void Restarts_FromTheSameStateTooOften_UseAnOlderOne()
    {
        var policy = new RestartPolicy(_time);
        StoredState[] states = [State("newest"), State("older")];
        for (var restart = 0; restart < 10; restart++)
        {
            policy.Failed();
            Assert.Equal("newest", policy.Candidates(states).First().Name);
            policy.Used(states[0]);
            policy.Answered();
            _time.Advance(TimeSpan.FromSeconds(10));
        }

        policy.Failed();
        Assert.Equal("older", policy.Candidates(states).First().Name);
    }

    [Fact]
    public void Vitals_OfAProcessWithAnyName_AreRead()
    {
        var vitals = ProcessVitals.Parse("42 (a) b) (c) T 1 42 42 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 1 0 100 1000 3 18446744073709551615", "5000000 1500000000 7\n");
        Assert.Equal(new ProcessVitals(ProcessState.Stopped, TimeSpan.FromSeconds(2), 3L * Environment.SystemPageSize, TimeSpan.FromSeconds(1.5)), vitals);
        Assert.Equal(default, ProcessVitals.Parse(null, null));
    }

    [Fact]
    public async Task Lines_LongerThanAllowed_AreCut()
    {
        var lines = new List<string>();
        await LineReader.ReadAsync(new StringReader($"short\r\n{new string('x', 5_000)}\n\nlast"), 10, lines.Add);
        Assert.Equal(["short", "xxxxxxxxxx", "", "last"], lines);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Output_ThatAnotherThreadReads_ContinuesElsewhere(bool toEnd)
    {
        var output = new LateOutput();
        async Task<Thread> ContinuedOnAsync()
        {
            _ = toEnd ? (await ProgramOutput.OfAsync(output.ReadToEndAsync(CancellationToken.None))).Length : await ProgramOutput.OfAsync(output.ReadAsync(new char[1], CancellationToken.None).AsTask());
            return Thread.CurrentThread;
        }

        var continued = ContinuedOnAsync();
        var reader = new Thread(output.End);
        reader.Start();
        Assert.NotEqual(reader, await continued);
    }

    [Fact]
    public void Log_OfATalkativeEmulator_IsBounded()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-log-");
        using (var log = new OutputLog(folder.FullName))
        {
            for (var line = 0; line < 30_000; line++)
            {
                log.Add(new string('x', 100));
            }

            Assert.Equal(200, log.Lines.Count);
            Assert.All(Enumerable.Range(0, 8), second => Assert.NotNull(log.KeepCrash(DateTimeOffset.UnixEpoch.AddSeconds(second), "it failed")));
        }

        Assert.Equal(7, folder.GetFiles().Length);
        Assert.All(folder.GetFiles(), file => Assert.InRange(file.Length, 1, 1_200_000));
        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task AutomaticState_OfAnEmulatorThatFailed_IsNotWaitedFor()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-states-");
        await using var fake = FakeScript.Start();
        fake.Behaviour = new FakeBehaviour { Answer = static _ => null };
        var hour = TimeSpan.FromHours(1);
        await using (var client = await Clients.ReadyAsync(fake, new TransportOptions { SilenceTimeout = TimeSpan.FromMinutes(1), RequestTimeout = hour, WaitTimeout = hour }, new ManualTime()))
        {
            var options = new OwnedEmulatorOptions();
            using var data = new DataFolder(folder.FullName, NullLogger<DataFolder>.Instance);
            using var states = StatesOf(client, options, data);
            states.Begin();
            _time.Advance(options.StateEvery);
            Assert.False(states.Check());
            await Eventually.Is(() => Asked(fake) > 0);
            await states.AbandonAsync().WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);

            // and the next one is taken after the restart
            var before = Asked(fake);
            states.Begin();
            _time.Advance(options.StateEvery);
            Assert.False(states.Check());
            await Eventually.Is(() => Asked(fake) > before);
            await states.AbandonAsync();
        }

        folder.Delete(recursive: true);
    }

    /// <summary>The emulator had no time to give a state: it is asked again soon, not after the whole interval.</summary>
    [Fact]
    public async Task AutomaticState_ThatCouldNotBeTaken_IsMadeUpFor()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-states-");
        await using var fake = FakeScript.Start();
        fake.Behaviour = new FakeBehaviour { Answer = static request => request.Command == "game.get" ? FakeReply.Refuse("no-game", "none") : null };
        await using (var client = await Clients.ReadyAsync(fake, new TransportOptions { SilenceTimeout = TimeSpan.FromMinutes(1) }, new ManualTime()))
        {
            var options = new OwnedEmulatorOptions { StateEvery = TimeSpan.FromHours(1) };
            using var data = new DataFolder(folder.FullName, NullLogger<DataFolder>.Instance);
            using var states = StatesOf(client, options, data);
            states.Begin();
            _time.Advance(options.StateEvery);
            states.Check();
            await Eventually.Is(() => Asked(fake) == 1);
            await states.AbandonAsync();
            states.Check();
            Assert.Equal(1, Asked(fake));
            _time.Advance(TimeSpan.FromSeconds(1));
            states.Check();
            await Eventually.Is(() => Asked(fake) == 2);
            await states.AbandonAsync();
        }

        folder.Delete(recursive: true);
    }

    /// <summary>Time in which the game was paused was not played, and a second fault does not lose again what the first one lost.</summary>
    [Fact]
    public async Task Play_LostByAFault_IsThatSinceTheStateOfItsProcess()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-states-");
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using (var client = Clients.To(emulator.Port, nonce: emulator.Nonce))
        {
            await Eventually.Is(() => client.Health.State == EmulatorState.Ready);
            using var data = new DataFolder(folder.FullName, NullLogger<DataFolder>.Instance);
            using var states = StatesOf(client, new OwnedEmulatorOptions { StateEvery = TimeSpan.FromSeconds(10) }, data);
            states.BeginRun([], null);
            var began = _time.GetUtcNow();
            TimeSpan PlayAndFail(double seconds, StoredState? restored)
            {
                states.Begin();
                _time.Advance(TimeSpan.FromSeconds(seconds));
                states.Count();
                return states.LostBy(restored, began);
            }

            Assert.Equal(TimeSpan.FromSeconds(4), PlayAndFail(4, null));
            Assert.Equal(TimeSpan.FromSeconds(3), PlayAndFail(3, null));
            states.Begin();
            _time.Advance(TimeSpan.FromSeconds(10));
            states.Check();
            await Eventually.Is(() => states.Newest.Count == 1);
            await states.AbandonAsync();
            _time.Advance(TimeSpan.FromSeconds(2));
            states.Count();
            var state = states.Newest[0];
            Assert.Equal(TimeSpan.FromSeconds(2), states.LostBy(state, began));
            Assert.Equal(TimeSpan.FromSeconds(1), PlayAndFail(1, state));
            Assert.Equal(TimeSpan.FromSeconds(1) + (state.SavedAt - began), PlayAndFail(1, null)); // the state was not good
        }

        folder.Delete(recursive: true);
    }

    private static int Asked(FakeScript fake) => fake.Requests.Count(request => request.Command == "game.get");

    private AutomaticStates StatesOf(EmulatorClient client, OwnedEmulatorOptions options, DataFolder data) => new(client, static () => null, new SupervisionServices(
        options, new Programs(options, data), new EmulatorLauncher(options, new Programs(options, data), data), new StateStore(options, data, _time, NullLogger<StateStore>.Instance), _time, NullLogger<Supervisor>.Instance));

    private TimeSpan? LookFor(HangDetector detector, TimeSpan duration, ProcessState state, double cpuShare, bool answers, double delayShare = 0)
    {
        for (var passed = TimeSpan.Zero; passed < duration; passed += TimeSpan.FromMilliseconds(100))
        {
            if (detector.Check(answers, new ProcessVitals(state, passed * cpuShare, 0, passed * delayShare)) is not null)
            {
                return passed;
            }

            _time.Advance(TimeSpan.FromMilliseconds(100));
        }

        return null;
    }

    private static StoredState State(string name) => new(name, StateKind.Automatic, "1", new StoredGame("TITLE", "AGB-CODE", "gba", 1), 1, DateTimeOffset.UnixEpoch, 1, "", false);

    /// <summary>A pipe that ends by <see cref="End"/>, and continues on that thread.</summary>
    private sealed class LateOutput : TextReader
    {
        private readonly TaskCompletionSource _ended = new();

        public void End() => _ended.SetResult();

        public override async ValueTask<int> ReadAsync(Memory<char> buffer, CancellationToken cancellationToken = default)
        {
            await _ended.Task;
            return 0;
        }

        public override async Task<string> ReadToEndAsync(CancellationToken cancellationToken)
        {
            await _ended.Task;
            return "";
        }
    }
}
