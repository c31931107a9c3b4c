using System.Diagnostics;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class ChildEnvironmentTests
{
    private static readonly string[] Secrets = ["Bridge__Fleet__Database", "Bridge__Http__Tokens__0__Hash", "MGBA_BRIDGE_TOKEN", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"];
    private static readonly string[] Needed = ["PATH", "LC_ALL", "LD_LIBRARY_PATH", "DISPLAY", "QT_QPA_PLATFORM", "ASAN_OPTIONS", "MGBA_BRIDGE_LINGER"];
    private static readonly string[] NeededByHosts = ["PGPASSFILE", "DOTNET_ROOT", "SLURM_CONF", "MGBA_BRIDGE_SECRET"];

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
