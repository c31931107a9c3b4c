using System.Diagnostics;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class ChildEnvironmentTests
{
    private static readonly string[] Secrets = ["Bridge__Fleet__Database", "Bridge__Http__Tokens__0__Hash", "MGBA_BRIDGE_TOKEN", "MGBA_BRIDGE_SECRET", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "PGPASSWORD", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"];
    private static readonly string[] NeededByPrograms = ["PATH", "LC_ALL", "LD_LIBRARY_PATH", "ASAN_OPTIONS"];
    private static readonly string[] Needed = [.. NeededByPrograms, "DISPLAY", "QT_QPA_PLATFORM", "MGBA_BRIDGE_LINGER"];
    private static readonly string[] NeededByHosts = ["PGPASSFILE", "DOTNET_ROOT", "SLURM_CONF", "OTEL_EXPORTER_OTLP_ENDPOINT"];

    [Fact]
    public void Environment_OfAnotherProgram_HasOnlyWhatAnyProgramNeeds()
    {
        var start = Start();
        ChildEnvironment.LimitToPrograms(start);
        Assert.Equal(NeededByPrograms.Order(), start.Environment.Keys.Order());
    }

    [Fact]
    public void Environment_OfAnEmulator_HasNoSecretsOfTheGateway()
    {
        var start = Start();
        ChildEnvironment.LimitToEmulators(start);
        Assert.Equal(Needed.Order(), start.Environment.Keys.Order());
    }

    [Fact]
    public void Environment_OfAHost_HasWhatItsProgramNeedsToo()
    {
        var start = Start();
        ChildEnvironment.LimitToHosts(start);
        Assert.Equal(Needed.Concat(NeededByHosts).Order(), start.Environment.Keys.Order());
    }

    private static ProcessStartInfo Start()
    {
        var start = new ProcessStartInfo("mgba-headless");
        start.Environment.Clear();
        foreach (var name in (string[])[.. Secrets, .. Needed, .. NeededByHosts])
        {
            start.Environment[name] = "any";
        }

        return start;
    }
}
