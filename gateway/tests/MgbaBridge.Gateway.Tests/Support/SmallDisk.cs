using System.Diagnostics;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>A disk of 256 KiB in a folder, with the test game on it; only the programs that are started in it see it there. Needs root.</summary>
internal sealed class SmallDisk : IAsyncDisposable
{
    private readonly Process _holder;
    private readonly string _folder;

    private SmallDisk(Process holder, string folder) => (_holder, _folder) = (holder, folder);

    /// <summary>How a program is started that sees it.</summary>
    public string[] Inside => ["nsenter", $"--mount=/proc/{_holder.Id}/ns/mnt"];

    /// <summary>The game, as these programs name it.</summary>
    public string Rom => Path.Combine(_folder, "test.gba");

    /// <summary>The save file of the game.</summary>
    public string Save => PathOf("test.sav");

    /// <summary>Makes it.</summary>
    public static async Task<SmallDisk> StartAsync(string folder)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.UserName == "root", "mounts a small file system");
        Directory.CreateDirectory(folder);
        var mount = $"mount -t tmpfs -o size=256k none '{folder}' && cp '{Repository.File("headless/roms/mgba-bridge-test.gba")}' '{folder}/test.gb' && mv '{folder}/test.gb' '{folder}/test.gba' && exec sleep infinity";
        var disk = new SmallDisk(Process.Start("unshare", ["--mount", "sh", "-c", mount]), folder);
        await Eventually.Is(() => File.Exists(disk.PathOf("test.gba")));
        return disk;
    }

    /// <summary>Leaves it no room.</summary>
    public void Fill()
    {
        using var file = new FileStream(PathOf("filler"), FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        try
        {
            while (true)
            {
                file.Write(new byte[4_096]);
            }
        }
        catch (IOException)
        {
            // it is full
        }
    }

    /// <summary>Gives it room again.</summary>
    public void Free() => File.Delete(PathOf("filler"));

    public ValueTask DisposeAsync() => GatewayProcess.EndAsync(_holder);

    private string PathOf(string name) => Path.Combine($"/proc/{_holder.Id}/root{_folder}", name);
}
