using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Hosting.HandOver;

/// <summary>One gateway goes and another stays, on the same port, under load.</summary>
public sealed class PortHandOverTests
{
    private const string Path = "/v2/memory/0x02000008/u32";

    [Fact]
    public async Task Upgrade_WithReusePort_LosesNoRequest()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        var port = Clients.FreePort();
        string[] settings = ["--reuse-port", string.Create(CultureInfo.InvariantCulture, $"--http-port={port}")];
        await using var first = await GatewayProcess.ReadyAsync(emulator.Port, settings);
        await using var load = new Load(port);
        await load.AnswersAsync(500);

        // the older one goes, as in an upgrade
        await using var second = await GatewayProcess.ReadyAsync(emulator.Port, settings);
        await load.AnswersAsync(500);
        Assert.Equal(0, await first.TerminateAsync());
        await load.AnswersAsync(500);

        // and again: the members of the port's group have changed their places
        await using var third = await GatewayProcess.ReadyAsync(emulator.Port, settings);
        await load.AnswersAsync(500);
        Assert.Equal(0, await second.TerminateAsync());
        await load.AnswersAsync(500);

        // the newer one goes, as when an upgrade is taken back
        await using var fourth = await GatewayProcess.ReadyAsync(emulator.Port, settings);
        await load.AnswersAsync(500);
        Assert.Equal(0, await fourth.TerminateAsync());
        await load.AnswersAsync(500);
        await load.StopAsync();
        Assert.True(load.Failures.IsEmpty, string.Join(Environment.NewLine, load.Failures));
        foreach (var gone in new[] { first, second, fourth })
        {
            Assert.Contains(gone.Said, line => line.Contains("accepts all new connections", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task Upgrade_AsTheDocumentSays_LosesNoRequest()
    {
        const string Commands = "log=$(mktemp)\n";
        await using var emulator = await HeadlessEmulator.StartAsync();
        var port = Clients.FreePort();
        var arguments = string.Create(CultureInfo.InvariantCulture, $"--emulator-port={emulator.Port} --reuse-port --http-port={port}");
        var document = await File.ReadAllTextAsync(Repository.File("docs/operating.md"), TestContext.Current.CancellationToken);
        var start = document.IndexOf(Commands, StringComparison.Ordinal);
        var upgrade = document[start..document.IndexOf("```", start, StringComparison.Ordinal)]
            .Replace("mgba-bridge --reuse-port --http-port=5000", $"{GatewayProcess.ShellCommand} {arguments}", StringComparison.Ordinal);
        await using var first = await GatewayProcess.ReadyAsync(emulator.Port, arguments.Split(' ')[1..]);
        await using var load = new Load(port);
        var (old, folder) = (first.Id, Directory.CreateTempSubdirectory());
        try
        {
            // each gateway in turn is the old one
            for (var round = 0; round < 3; round++)
            {
                await load.AnswersAsync(200);
                using var shell = Process.Start(new ProcessStartInfo("bash", ["-ec", $"old={old}\n{upgrade}\necho $!"]) { WorkingDirectory = folder.FullName, RedirectStandardOutput = true })!;
                var gone = old;
                old = int.Parse((await shell.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken))!, CultureInfo.InvariantCulture);
                await Eventually.Is(() => LinuxProcess.HasEnded(gone));
            }

            await load.AnswersAsync(200);
            await load.StopAsync();
            Assert.True(load.Failures.IsEmpty, string.Join(Environment.NewLine, load.Failures));
        }
        finally
        {
            using var last = Process.GetProcessById(old);
            await GatewayProcess.EndAsync(last);
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Connections_AfterTheHandOver_AllReachTheOneThatStays(bool olderGoes)
    {
        // spread by the kernel, half of them would reach each: all by chance is once in 2^300
        const int Fresh = 300;
        await using var fake = FakeScript.Start();
        string[] settings = ["--reuse-port", string.Create(CultureInfo.InvariantCulture, $"--http-port={Clients.FreePort()}"), "--Bridge:Http:ConnectionDrain=00:01:00"];
        await using var older = await GatewayProcess.ReadyAsync(fake.Port, settings);
        await using var newer = await GatewayProcess.ReadyAsync(fake.Port, settings);
        var goes = olderGoes ? older : newer;
        goes.Signal("-TERM");
        await Eventually.Is(() => goes.Said.Any(line => line.Contains("accepts all new connections", StringComparison.Ordinal)));
        var port = await goes.ListensAsync();
        using var handler = new SocketsHttpHandler { PooledConnectionLifetime = TimeSpan.Zero };
        using var client = new HttpClient(handler) { BaseAddress = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}")) };
        for (var connection = 0; connection < Fresh; connection++)
        {
            // who goes says farewell in each answer, and still listens
            using var answer = await client.GetAsync("/healthz", TestContext.Current.CancellationToken);
            Assert.True(answer.Headers.ConnectionClose is not true, $"connection {connection} reached the one that goes");
        }
    }

    [Fact]
    public async Task HandOver_ToASuccessorThatAnswersLate_IsMade()
    {
        await using var fake = FakeScript.Start();
        string[] settings = ["--reuse-port", string.Create(CultureInfo.InvariantCulture, $"--http-port={Clients.FreePort()}")];
        await using var older = await GatewayProcess.ReadyAsync(fake.Port, settings);
        await using var newer = await GatewayProcess.ReadyAsync(fake.Port, settings);
        await newer.StopAsync();
        older.Signal("-TERM");
        await Eventually.Is(() => older.Said.Any(line => line.Contains("has not answered in time", StringComparison.Ordinal)));
        newer.Signal("-CONT");
        Assert.Equal(0, await older.EndsAsync());
        Assert.Contains(older.Said, line => line.Contains("accepts all new connections", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Restart_OnASocketThatWasHandedOver_LosesNoRequest()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        var port = Clients.FreePort().ToString(CultureInfo.InvariantCulture);
        // does what systemd does: listens, gives the socket to the gateway as descriptor 3, and starts it again (here on SIGHUP)
        const string Supervisor = """
            import os, signal, socket, sys
            server = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=512)
            def start():
                child = os.fork()
                if child == 0:
                    os.dup2(server.fileno(), 3)
                    os.set_inheritable(3, True)
                    signal.pthread_sigmask(signal.SIG_UNBLOCK, wanted)
                    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
                    os.execvp(sys.argv[2], sys.argv[2:])
                return child
            def end(child):
                os.kill(child, signal.SIGTERM)
                return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            wanted = {signal.SIGHUP, signal.SIGTERM}
            signal.pthread_sigmask(signal.SIG_BLOCK, wanted)
            child = start()
            while signal.sigwait(wanted) == signal.SIGHUP:
                print("ended with", end(child), flush=True)
                child = start()
            sys.exit(end(child))
            """;
        await using var gateway = GatewayProcess.Start(["python3", "-c", Supervisor, port], $"--emulator-port={emulator.Port.ToString(CultureInfo.InvariantCulture)}");
        Assert.Equal(port, (await gateway.ListensAsync()).ToString(CultureInfo.InvariantCulture));
        await using var load = new Load(int.Parse(port, CultureInfo.InvariantCulture));
        for (var restart = 1; restart <= 2; restart++)
        {
            await load.AnswersAsync(500);
            gateway.Signal("-HUP");
            await Eventually.Is(() => gateway.Said.Count(line => line == "ended with 0") == restart);
        }

        await load.AnswersAsync(500);
        await load.StopAsync();
        Assert.True(load.Failures.IsEmpty, string.Join(Environment.NewLine, load.Failures));
        Assert.Equal(0, await gateway.TerminateAsync());
    }

    /// <summary>About a thousand requests a second, half of them on connections of their own.</summary>
    private sealed class Load : IAsyncDisposable
    {
        private const int Callers = 20;
        private const int ARequestEvery = 20;

        private readonly CancellationTokenSource _enough = new();
        private readonly Task _asking;
        private int _answers;

        public Load(int port) => _asking = Task.WhenAll(Enumerable.Range(0, Callers).Select(number => RequestAsync(port, keeps: number % 2 == 0)));

        public ConcurrentQueue<string> Failures { get; } = [];

        public Task AnswersAsync(int count)
        {
            var enough = Volatile.Read(ref _answers) + count;
            return Eventually.Is(() => Volatile.Read(ref _answers) >= enough);
        }

        public async Task StopAsync()
        {
            await _enough.CancelAsync();
            await _asking;
        }

        public async ValueTask DisposeAsync()
        {
            await StopAsync();
            _enough.Dispose();
        }

        private async Task RequestAsync(int port, bool keeps)
        {
            using var caller = new RawCaller(port, keeps);
            using var ticks = new PeriodicTimer(TimeSpan.FromMilliseconds(ARequestEvery));
            try
            {
                while (await ticks.WaitForNextTickAsync(_enough.Token))
                {
                    if (await caller.RequestAsync(Path) is { } failure)
                    {
                        Failures.Enqueue(failure);
                    }

                    Interlocked.Increment(ref _answers);
                }
            }
            catch (OperationCanceledException)
            {
                // enough
            }
        }
    }
}
