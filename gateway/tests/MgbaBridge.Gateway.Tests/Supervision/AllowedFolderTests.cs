using System.Net;
using System.Runtime.Versioning;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Supervision;

/// <summary>The folder of a ROM, which <c>run</c> allows for files of clients.</summary>
public sealed class AllowedFolderTests
{
    private static void AsRun(IServiceCollection services) => services.Registered<OwnedEmulatorOptions>().AllowRomFolder = true;

    [Fact]
    public async Task Files_InTheFolderOfTheRom_AreAllowedIfNobodyElseCanWriteThere()
    {
        await using var owned = await OwnedGateway.StartAsync(OwnedGateway.Prepare(), 1, AsRun);
        var state = Path.Combine(owned.Roms, "kept.ss0");
        await owned.SendAsync(HttpMethod.Post, "/v2/state/save", $$"""{"file":"{{state}}"}""");
        Assert.True(File.Exists(state));

        // a name without a folder is in the emulator's own
        await owned.SendAsync(HttpMethod.Post, "/v2/state/save", """{"file":"plain.ss0"}""");
        Assert.False(File.Exists(Path.Combine(owned.Roms, "plain.ss0")));
        Assert.True(File.Exists(Path.Combine(owned.Data, "emulators", "1", "files", "plain.ss0")));

        var elsewhere = Path.Combine(owned.Folder, "elsewhere", "x.ss0");
        var refused = await owned.SendAsync(HttpMethod.Post, "/v2/state/save", $$"""{"file":"{{elsewhere}}"}""", HttpStatusCode.Forbidden);
        Assert.EndsWith($";{owned.Roms};{Path.GetDirectoryName(elsewhere)}' mgba-bridge run GAME", refused.GetProperty("detail").GetString()!.TrimEnd('.'), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Files_InTheFolderOfTheRom_AreRefusedIfOthersCanWriteThere()
    {
        var folder = OwnedGateway.Prepare();
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(Path.Combine(folder.FullName, "roms"), (UnixFileMode)0b111_111_111);
        }

        await using var owned = await OwnedGateway.StartAsync(folder, 1, AsRun);
        await owned.SendAsync(HttpMethod.Post, "/v2/state/save", $$"""{"file":"{{Path.Combine(owned.Roms, "kept.ss0")}}"}""", HttpStatusCode.Forbidden);
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public void Folder_BelowOneThatOthersCanReplace_IsNotOursAlone()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "no modes");
        var open = Directory.CreateTempSubdirectory("mgba-bridge-open-");
        var below = open.CreateSubdirectory("below").FullName;
        Assert.True(OwnFiles.IsOursAlone(below));
        File.SetUnixFileMode(open.FullName, (UnixFileMode)0b111_111_111);
        Assert.False(OwnFiles.IsOursAlone(below));
        File.SetUnixFileMode(open.FullName, (UnixFileMode)0b1_111_111_111); // with the sticky bit, as of /tmp
        Assert.True(OwnFiles.IsOursAlone(below));
        Assert.False(OwnFiles.IsOursAlone(open.FullName));
        var link = $"{open.FullName}-link";
        Directory.CreateSymbolicLink(link, below);
        Assert.False(OwnFiles.IsOursAlone(link));
        File.Delete(link);
        open.Delete(recursive: true);
    }
}
