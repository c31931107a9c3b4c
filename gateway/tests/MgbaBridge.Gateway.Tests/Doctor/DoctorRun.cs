using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Doctor;

/// <summary>A run of <c>doctor --json</c>.</summary>
internal sealed record DoctorRun(int ExitCode, IReadOnlyList<DoctorRun.Finding> Findings, string? Next, string? Command)
{
    /// <summary>The setting that lets a script that answers nothing be silent soon.</summary>
    public const string SilentSoon = "--Bridge:Transport:SilenceTimeout=00:00:00.250";

    /// <summary>Runs it with settings, in front of the script on a port. No gateway runs unless the settings name its port.</summary>
    public static async Task<DoctorRun> OfAsync(int emulatorPort, params string[] settings) =>
        await OfAsync([string.Create(CultureInfo.InvariantCulture, $"--emulator-port={emulatorPort}"), .. settings]);

    /// <summary>The same with no port of a script. Unless the settings name ports or a folder, they are those of this run.</summary>
    public static async Task<DoctorRun> OfAsync(params string[] settings)
    {
        using var ports = new ScriptPorts();
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-test-");
        try
        {
            return await OfAllAsync([ports.Argument, $"--Bridge:Owned:DataFolder={folder.FullName}", .. settings]);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<DoctorRun> OfAllAsync(string[] settings)
    {
        string[] alone = settings.Any(setting => setting.StartsWith("--http-port", StringComparison.Ordinal) || setting.StartsWith("--url", StringComparison.Ordinal)) ? [] : ["--http-port=0"];
        var run = await VerbRun.OfAsync(["doctor", "--json", .. GatewayHost.Patient.Select(static setting => $"--Bridge:{setting.Key}={setting.Value}"), .. alone, .. settings]);
        Assert.Equal("", run.Error);
        using var json = JsonDocument.Parse(run.Output);
        var root = json.RootElement;
        Assert.Equal(run.ExitCode == 0, root.GetProperty("ok").GetBoolean());
        return new DoctorRun(
            run.ExitCode,
            [.. root.GetProperty("findings").EnumerateArray().Select(finding => new Finding(
                finding.GetProperty("check").GetString()!, finding.GetProperty("level").GetString()!, finding.GetProperty("text").GetString()!, finding.GetProperty("next").GetString()))],
            root.GetProperty("next").GetString(),
            root.GetProperty("command").GetString());
    }

    /// <summary>Asserts that there is a finding with these words, and that a problem ends with exit code 1.</summary>
    public Finding Has(string check, string level, params string[] words)
    {
        var finding = Findings.FirstOrDefault(finding => finding.Check == check && finding.Level == level && words.All(finding.ToString().Contains));
        Assert.True(finding is not null, $"No {level} of {check} with {string.Join(", ", words)} in:\n{string.Join('\n', Findings)}");
        Assert.Equal(Findings.Any(other => other.Level == "problem") ? 1 : 0, ExitCode);
        return finding;
    }

    /// <summary>The same for a problem that decides the next step.</summary>
    public void HasFirst(string check, params string[] words) => Assert.Equal(Has(check, "problem", words).Next, Next);

    /// <summary>A server that sends the same bytes for a path, and then closes.</summary>
    public static TcpListener Server(Func<string, string> answer, int port = 0)
    {
        var listener = new TcpListener(IPAddress.Loopback, port);
        listener.Start();
        _ = AnswerAsync(listener, answer);
        return listener;
    }

    /// <summary>The port of a listener.</summary>
    public static int PortOf(TcpListener listener) => ((IPEndPoint)listener.LocalEndpoint).Port;

    private static async Task AnswerAsync(TcpListener listener, Func<string, string> answer)
    {
        try
        {
            while (true)
            {
                using var client = await listener.AcceptTcpClientAsync(CancellationToken.None);
                var request = new byte[4096];
                var length = await client.GetStream().ReadAsync(request, CancellationToken.None);
                await client.GetStream().WriteAsync(Encoding.UTF8.GetBytes(answer(Encoding.ASCII.GetString(request, 0, length).Split(' ').ElementAtOrDefault(1) ?? "")), CancellationToken.None);
            }
        }
        catch (Exception exception) when (exception is SocketException or IOException or ObjectDisposedException)
        {
            // stopped by the test
        }
    }

    /// <summary>One finding.</summary>
    internal sealed record Finding(string Check, string Level, string Text, string? Next);
}
