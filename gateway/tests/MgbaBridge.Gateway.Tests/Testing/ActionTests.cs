using System.Diagnostics;
using MgbaBridge.Gateway.Tests.Support;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Gateway.Tests.Testing;

/// <summary>The GitHub action and the example for GitLab, as far as they can run elsewhere.</summary>
public sealed class ActionTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-action-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData("0x02000008 u32 == 18", 1)]
    [InlineData("0x02000008 u32 == 17", 0)]
    public async Task Step_ThatTests_WritesTheReport(string condition, int code)
    {
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gba"), PathOf("game.gba"));
        var test = Directory.CreateDirectory(PathOf("with space"));
        await File.WriteAllTextAsync(Path.Combine(test.FullName, "a.test.yaml"), $"rom: ../game.gba\nsetup: [{{wait: 20}}]\ntests: [{{name: \"a: 100%, or\", steps: [{{expect: {condition}}}]}}]", TestContext.Current.CancellationToken);
        ShellProgram.Write(PathOf("mgba-bridge"), $"exec {GatewayProcess.ShellCommand} \"$@\"");

        var start = new ProcessStartInfo("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", await StepAsync("Test")]) { WorkingDirectory = _folder.FullName, RedirectStandardOutput = true };
        foreach (var (name, value) in new[] { ("PATH", $"{_folder.FullName}:{Environment.GetEnvironmentVariable("PATH")}"), ("PATHS", "with space\n\n"), ("OPTIONS", "--jobs=1\n"), ("JUNIT", "reports/junit.xml"), ("OUTPUT", "out"), ("GITHUB_ACTIONS", "true") })
        {
            start.Environment[name] = value;
        }

        var (exitCode, output) = await RunAsync(start);

        Assert.True(exitCode == code, output);
        Assert.True(File.Exists(PathOf("reports/junit.xml")));
        Assert.Equal(code == 1, Directory.Exists(PathOf("out")));
        Assert.Equal(code == 1 ? ["::error file=with space/a.test.yaml,line=3,title=a%3A 100%25%2C or::0x02000008 u32 == 18 does not hold: 0x02000008 u32 is 17."] : Array.Empty<string>(), output.Split('\n').Where(static line => line.StartsWith("::", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("0x02000008 u32 == 18", 1)]
    [InlineData("0x02000008 u32 == 17", 0)]
    public async Task Job_OfGitLab_WritesTheReport(string condition, int code)
    {
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gba"), PathOf("game.gba"));
        Directory.CreateDirectory(PathOf("tests"));
        await File.WriteAllTextAsync(PathOf("tests/a.test.yaml"), $"rom: ../game.gba\nsetup: [{{wait: 20}}]\ntests: [{{name: a, steps: [{{expect: {condition}}}]}}]", TestContext.Current.CancellationToken);
        ShellProgram.Write(PathOf("mgba-bridge"), $"exec {GatewayProcess.ShellCommand} \"$@\"");
        var job = (await YamlAsync("docs/examples/gitlab-ci.yml"))["mgba-bridge-test"];

        var start = new ProcessStartInfo("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", string.Join('\n', ((YamlSequenceNode)job["script"]).Select(static line => (string)line!))]) { WorkingDirectory = _folder.FullName, RedirectStandardOutput = true };
        start.Environment["PATH"] = $"{_folder.FullName}:{Environment.GetEnvironmentVariable("PATH")}";
        foreach (var (name, value) in (YamlMappingNode)job["variables"])
        {
            start.Environment[(string)name!] = (string)value!;
        }

        var (exitCode, output) = await RunAsync(start);

        Assert.True(exitCode == code, output);
        Assert.True(File.Exists(PathOf((string)job["artifacts"]["reports"]["junit"]!)));
        Assert.Equal(code == 1, Directory.Exists(PathOf("test-results/tests/a.test.yaml")));
        Assert.Equal((await File.ReadAllTextAsync(Repository.File("VERSION"), TestContext.Current.CancellationToken)).Trim(), (string)job["variables"]["MGBA_BRIDGE_VERSION"]!);
    }

    private static async Task<(int ExitCode, string Output)> RunAsync(ProcessStartInfo start)
    {
        using var process = Process.Start(start)!;
        var output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return (process.ExitCode, output);
    }

    private static async Task<string> StepAsync(string name)
    {
        var steps = (YamlSequenceNode)(await YamlAsync("action.yml"))["runs"]["steps"];
        return ((YamlScalarNode)steps.Single(step => (string?)step["name"] == name)["run"]).Value!;
    }

    private static async Task<YamlNode> YamlAsync(string name)
    {
        using var text = new StringReader(await File.ReadAllTextAsync(Repository.File(name), TestContext.Current.CancellationToken));
        var yaml = new YamlStream();
        yaml.Load(text);
        return yaml.Documents[0].RootNode;
    }

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
