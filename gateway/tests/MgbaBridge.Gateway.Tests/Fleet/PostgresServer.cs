using System.Diagnostics;
using System.Globalization;
using MgbaBridge.Fleet;
using MgbaBridge.Gateway.Tests.Support;
using Npgsql;

[assembly: AssemblyFixture(typeof(MgbaBridge.Gateway.Tests.Fleet.PostgresServer))]

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>
/// A private PostgreSQL server, reached through a socket in its folder. It starts with the first database that a test requests, and ends with this
/// process, however that ends: its shell waits for the end of its input.
/// </summary>
public sealed class PostgresServer : IAsyncDisposable
{
    private const string User = "postgres";
    private const string Shell = "\"$@\" >&2 & p=$!; cat > /dev/null; kill -INT $p; wait $p";

    private readonly SemaphoreSlim _starting = new(1, 1);
    private DirectoryInfo? _folder;
    private Process? _process;
    private int _databases;

    /// <summary>Whether what was committed survives a crash.</summary>
    public bool IsDurable { get; init; }

    /// <summary>A database of its own, as a setting.</summary>
    public async Task<string> CreateDatabaseAsync()
    {
        var server = await StartAsync();
        var name = string.Create(CultureInfo.InvariantCulture, $"test{Interlocked.Increment(ref _databases)}");
        await using var source = NpgsqlDataSource.Create(server);
        await using var command = source.CreateCommand($"create database {name}");
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        return $"{server};Database={name}";
    }

    /// <summary>Ends it at once, as a crash does, and starts it again when <paramref name="meanwhile"/> has ended.</summary>
    public async Task CrashAsync(Func<Task> meanwhile)
    {
        await StopAsync("-QUIT");
        await meanwhile();
        await StartAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync("-INT");
        _folder?.Delete(recursive: true);
    }

    private async Task<string> StartAsync()
    {
        await _starting.WaitAsync(TestContext.Current.CancellationToken);
        try
        {
            _folder ??= Initialize(IsDurable);
            var address = $"Host={_folder.FullName};Username={User}";
            if (_process is null)
            {
                _process = Process.Start(new ProcessStartInfo("sh", ["-c", Shell, "sh", .. AsUser(), Program("postgres"), "-D", Path.Combine(_folder.FullName, "data")])
                {
                    RedirectStandardInput = true,
                    RedirectStandardError = true,
                })!;
                _process.ErrorDataReceived += static (_, _) => { };
                _process.BeginErrorReadLine();
                await Eventually.IsAsync(async () =>
                {
                    Assert.False(_process.HasExited, "PostgreSQL ended while it started.");
                    try
                    {
                        await using var connection = new NpgsqlConnection($"{address};Pooling=false");
                        await connection.OpenAsync(TestContext.Current.CancellationToken);
                        return true;
                    }
                    catch (NpgsqlException)
                    {
                        return false;
                    }
                });
            }

            return address;
        }
        finally
        {
            _starting.Release();
        }
    }

    private async Task StopAsync(string signal)
    {
        if (_process is { } process)
        {
            _process = null;
            var server = File.ReadLines(Path.Combine(_folder!.FullName, "data", "postmaster.pid")).First();
            using (var kill = Process.Start("kill", [signal, server]))
            {
                await kill.WaitForExitAsync(CancellationToken.None);
            }

            process.StandardInput.Close();
            await process.WaitForExitAsync(CancellationToken.None);
            process.Dispose();
        }
    }

    private static DirectoryInfo Initialize(bool isDurable)
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-pg-");
        if (Environment.IsPrivilegedProcess)
        {
            Run("chown", User, folder.FullName);
        }

        var data = Path.Combine(folder.FullName, "data");
        string[] initialize = [.. AsUser(), Program("initdb"), "-D", data, "-U", User, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"];
        Run(initialize[0], initialize[1..]);
        File.AppendAllText(
            Path.Combine(data, "postgresql.conf"),
            $"listen_addresses = ''\nunix_socket_directories = '{folder.FullName}'\nmax_connections = 200\n{(isDurable ? "" : "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n")}");
        return folder;
    }

    // PostgreSQL does not run as root
    private static string[] AsUser() => Environment.IsPrivilegedProcess ? ["setpriv", $"--reuid={User}", $"--regid={User}", "--init-groups", "--"] : [];

    private static string Program(string name) =>
        Directory.Exists("/usr/lib/postgresql")
        && Directory.EnumerateDirectories("/usr/lib/postgresql").Select(folder => Path.Combine(folder, "bin", name)).Where(File.Exists).MaxBy(path => path, StringComparer.Ordinal) is { } program
            ? program
            : throw new InvalidOperationException("The tests of the fleet require PostgreSQL: apt-get install postgresql (scripts/install test does it).");

    private static void Run(string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = "/" })!;
        process.OutputDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        var errors = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"{program}: {errors}");
    }
}

/// <summary>A fleet's database in a test, and the settings that go with it.</summary>
internal static class TestFleet
{
    public static FleetOptions Options(string database) => new()
    {
        Database = database,
        LeaseTime = TimeSpan.FromSeconds(15),
        CommandTimeout = TimeSpan.FromMinutes(1), // a busy machine stops the server for seconds
    };

    /// <summary>Replaces the clock of the database by one that tests set; it begins at 2000-01-01.</summary>
    public static async Task UseManualClockAsync(string database)
    {
        await RunAsync(
            database,
            """
            create table mgba_fleet.test_clock (at timestamptz not null);
            insert into mgba_fleet.test_clock values ('2000-01-01T00:00:00Z');
            create or replace function mgba_fleet.moment() returns timestamptz language sql volatile as 'select at from mgba_fleet.test_clock';
            """);
    }

    /// <summary>Advances that clock.</summary>
    public static Task AdvanceAsync(string database, TimeSpan time) =>
        RunAsync(database, string.Create(CultureInfo.InvariantCulture, $"update mgba_fleet.test_clock set at = at + interval '{time.TotalSeconds} seconds'"));

    /// <summary>How many transactions it has run; the server counts those of a busy connection once a second.</summary>
    public static async Task<long> TransactionsAsync(string database)
    {
        await using var connection = new NpgsqlConnection($"{database};Pooling=false");
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = new NpgsqlCommand("select xact_commit from pg_stat_database where datname = current_database()", connection);
        return (long)(await command.ExecuteScalarAsync(TestContext.Current.CancellationToken))!;
    }

    public static async Task RunAsync(string database, string sql)
    {
        await using var connection = new NpgsqlConnection($"{database};Pooling=false");
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
    }
}
