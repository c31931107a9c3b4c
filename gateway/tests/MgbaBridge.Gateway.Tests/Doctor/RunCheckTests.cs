using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.Versioning;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Doctor;

/// <summary>What <c>doctor</c> says about <c>run</c>: with nothing running, with broken parts, and while it runs.</summary>
[SupportedOSPlatform("linux")]
public sealed class RunCheckTests : IDisposable
{
    private const string HeadlessProgram = "--Bridge:Owned:HeadlessProgram=";

    private static readonly string Headless = InRepository("headless/build/mgba-headless");
    private static readonly string Rom = InRepository("headless/roms/mgba-bridge-test.gba");

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-test-");

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task NothingRuns_WhereRunWorks_NamesRun()
    {
        var run = await DoctorRun.OfAsync($"{HeadlessProgram}{Headless}");
        run.Has("data", "ok", "are kept in");
        run.Has("mgba-headless", "ok", Headless, "libmgba");
        run.HasFirst("gateway", "no gateway runs", "mgba-bridge run", "mgba-bridge script");
    }

    [Fact]
    public async Task Rom_ThatRuns_IsTheNextStep()
    {
        var run = await DoctorRun.OfAsync(Rom, $"{HeadlessProgram}{Headless}");
        run.Has("rom", "ok", $"{Rom} runs");
        Assert.Equal((0, $"Start the game: {run.Command}"), (run.ExitCode, run.Next));
        Assert.EndsWith($"mgba-bridge run {Rom}", run.Command, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.ChangeExtension(Rom, ".sav")));
    }

    [Fact]
    public async Task Rom_ThatIsMissingAFolderOrNoRom_IsAProblem()
    {
        var text = Path.Combine(_folder.FullName, "notes.gba");
        await File.WriteAllTextAsync(text, "Buy milk.", Cancelled);
        (await DoctorRun.OfAsync("nowhere.gba", $"{HeadlessProgram}{Headless}")).HasFirst("rom", "nowhere.gba does not exist");
        (await DoctorRun.OfAsync(_folder.FullName, $"{HeadlessProgram}{Headless}")).HasFirst("rom", "is a folder");
        (await DoctorRun.OfAsync(text, $"{HeadlessProgram}{Headless}")).HasFirst("rom", text, "does not run", "is not a GBA, GB or GBC ROM");
        (await DoctorRun.OfAsync($"{HeadlessProgram}{Headless}", $"--Bridge:Owned:Roms:0={text}")).HasFirst("rom", text, "does not run");
    }

    [Fact]
    public async Task Headless_ThatIsMissing_IsAProblem() =>
        (await DoctorRun.OfAsync($"{HeadlessProgram}{_folder.FullName}/mgba-headless")).HasFirst("mgba-headless", "does not exist", "mgba-bridge script");

    [Fact]
    public async Task Headless_ThatIsNoProgram_IsAProblem()
    {
        var program = Executable("mgba-headless", "not a program"u8.ToArray());
        (await DoctorRun.OfAsync($"{HeadlessProgram}{program}")).HasFirst("mgba-headless", program, "does not start");
    }

    [Fact]
    public async Task Library_ThatIsMissing_IsNamedByDoctorRunAndBench()
    {
        var program = await WithoutLibraryAsync();
        (await DoctorRun.OfAsync($"{HeadlessProgram}{program}")).HasFirst("mgba-headless", "libX.so.6", "Install that library");
        foreach (var (exit, verb) in new (int, string[])[] { (ExitCodes.CannotStart, ["run", Rom]), (ExitCodes.CannotStart, ["mcp", Rom]), (ExitCodes.Refused, ["bench"]) })
        {
            await using var started = GatewayProcess.Start(["env", $"XDG_STATE_HOME={_folder.FullName}", $"Bridge__Owned__HeadlessProgram={program}"], verb);
            Assert.Equal(exit, await started.EndsAsync());
            var sentence = Assert.Single(started.Said);
            Assert.Contains("libX.so.6", sentence, StringComparison.Ordinal);
            Assert.Contains("Install that library", sentence, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task DataFolder_ThatCannotBeWritten_IsAProblem()
    {
        var file = Path.Combine(_folder.FullName, "file");
        await File.WriteAllTextAsync(file, "", Cancelled);
        (await DoctorRun.OfAsync($"{HeadlessProgram}{Headless}", $"--Bridge:Owned:DataFolder={file}/data")).HasFirst("data", $"{file}/data cannot be used", "--Bridge:Owned:DataFolder=");
    }

    [Fact]
    public async Task Url_WhereNothingOrAnotherProgramAnswers_IsToBeCorrected()
    {
        var port = Clients.FreePort();
        (await DoctorRun.OfAsync($"--url=http://127.0.0.1:{port}")).HasFirst("gateway", $"no gateway is reachable at http://127.0.0.1:{port}", "Correct --url", $"--port {port}");
        using var other = DoctorRun.Server(_ => "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        (await DoctorRun.OfAsync($"--url=http://127.0.0.1:{DoctorRun.PortOf(other)}")).HasFirst("gateway", "is not an mGBA-bridge gateway", "Correct --url");
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        (await DoctorRun.OfAsync($"--url=http://127.0.0.1:{DoctorRun.PortOf(silent)}")).HasFirst("gateway", "has not responded for 15 s", "restart it");
    }

    [Fact]
    public async Task Game_PausedThroughARunningGateway_IsResumedByTheNextStep()
    {
        await using var gateway = GatewayHost.StartWithoutPort(
            ("Owned:Roms:0", ":test:"), ("Owned:DataFolder", _folder.FullName), ("Owned:HeadlessProgram", Headless));
        await gateway.DescribeAsync();
        var url = $"--url={gateway.Client.BaseAddress}";
        Assert.Equal(0, (await DoctorRun.OfAsync(url)).ExitCode);
        await VerbRun.TextAsync("emulators", "run", "1", "--paused", "true", url);
        var run = await DoctorRun.OfAsync(url);
        run.HasFirst("gateway", "emulator 1", "paused", $"mgba-bridge {url.TrimEnd('/').Replace('=', ' ')} emulators run 1 --paused false");
        Assert.DoesNotContain(run.Findings, finding => finding.Check == "script");
        Assert.Equal(run.Next, (await DoctorRun.OfAsync($"--http-port={gateway.Client.BaseAddress!.Port}")).Next);
        await VerbRun.TextAsync(run.Command!.Split("mgba-bridge ")[^1].Split(' '));
        Assert.Equal(0, (await DoctorRun.OfAsync(url)).ExitCode);
    }

    [Theory]
    [InlineData(true, false, "libssl.so.3")]
    [InlineData(true, false, "libssl.so.1.1")]
    [InlineData(true, true, "libssl3.so")]
    [InlineData(false, false, "")]
    public void OpenSsl_WithoutALibraryThatDotNetLoads_IsMissingOnLinux(bool isLinux, bool isMissing, string there) =>
        Assert.Equal(isMissing, OpenSsl.IsMissing(isLinux, library => library == there));

    // another name of the library in the program's table: the dynamic linker does not find it
    private async Task<string> WithoutLibraryAsync()
    {
        var bytes = await File.ReadAllBytesAsync(Headless, Cancelled);
        var at = bytes.AsSpan().IndexOf("libm.so.6"u8);
        Assert.True(at > 0);
        bytes[at + "lib".Length] = (byte)'X';
        return Executable("mgba-headless", bytes);
    }

    private string Executable(string name, byte[] content)
    {
        var file = Path.Combine(_folder.FullName, name);
        File.WriteAllBytes($"{file}.content", content);
        ShellProgram.Install($"{file}.content", file);
        return file;
    }

    private static string InRepository(string path, [CallerFilePath] string here = "") => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(here)!, "../../../..", path));
}
