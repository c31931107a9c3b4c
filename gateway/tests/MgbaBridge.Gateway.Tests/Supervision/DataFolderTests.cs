using System.Diagnostics;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Supervision;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class DataFolderTests : IDisposable
{
    private const string Resource = "mgba-bridge-test.gba";
    private const int Writers = 8;
    private const int Rounds = 20;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-data-");

    [Fact]
    public void WriteResource_ByEmulatorsThatStartAtOnce_SucceedsForAll()
    {
        using var data = new DataFolder(_folder.FullName, NullLogger<DataFolder>.Instance);
        for (var round = 0; round < Rounds; round++)
        {
            var name = $"games{round}";
            using var together = new Barrier(Writers);
            var failures = new Exception?[Writers];
            var threads = Enumerable.Range(0, Writers).Select(writer => new Thread(() =>
            {
                together.SignalAndWait();
                failures[writer] = Record.Exception(() => data.WriteResource(Resource, name));
            })).ToArray();
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
            Assert.All(failures, Assert.Null);
            Assert.Equal([Resource], Directory.GetFiles(data.Below(name)).Select(Path.GetFileName));
        }
    }

    /// <summary>Others could put links and states into it.</summary>
    [Theory]
    [InlineData("", "0777", "can be written by other users (mode 0777)")]
    [InlineData("1", "0777", "can be written by other users (mode 0777)")]
    [InlineData("1/states", "1777", "can be written by other users (mode 1777)")]
    [InlineData("", "1777", null)]
    [InlineData("", "0775", null)] // of a group that the user has alone
    public void Folder_ThatOthersCanWrite_IsRefusedInASentence(string below, string mode, string? expected)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux knows who may write a folder.");
        var folder = Directory.CreateDirectory(Path.Combine(_folder.FullName, below)).FullName;
        if (!OperatingSystem.IsWindows()) // for the analyzer
        {
            File.SetUnixFileMode(folder, (UnixFileMode)Convert.ToInt32(mode, 8));
        }

        var refused = Refused();
        Assert.Equal(expected is null, refused is null);
        Assert.Contains(expected ?? "", refused ?? "", StringComparison.Ordinal);
        Assert.Contains(expected is null ? "" : $"chmod go-w {folder}", refused ?? "", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("1")]
    [InlineData("1/states")]
    public async Task Folder_OfAnotherUser_IsRefusedInASentence(string below)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder.FullName, below)).FullName;
        Assert.SkipUnless(OperatingSystem.IsLinux() && await ChownAsync("12345", folder), "Only root gives a folder to another user.");
        Assert.Contains($"{folder} belongs to another user (uid 12345)", Refused(), StringComparison.Ordinal);
    }

    /// <summary>Another user put links where the program writes; their targets stay as they are.</summary>
    [Fact]
    public void Links_InItsFolders_AreNotFollowed()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Windows gives links to administrators.");
        var victim = Path.Combine(_folder.FullName, "victim");
        File.WriteAllText(victim, "mine");
        string Link(string folder, string name) => File.CreateSymbolicLink(Path.Combine(Directory.CreateDirectory(Path.Combine(_folder.FullName, folder)).FullName, name), victim).FullName;
        using var data = new DataFolder(_folder.FullName, NullLogger<DataFolder>.Instance);
        foreach (var file in (string[])["boss.next.tmp", "boss.next", "boss.json.tmp", "boss.json", "boss.state", "other.json", "third.next", "fourth.state"])
        {
            Link("1/states", file);
        }

        var store = new StateStore(new OwnedEmulatorOptions(), data, TimeProvider.System, NullLogger<StateStore>.Instance);
        Assert.Empty(store.All);
        Assert.NotNull(store.Save("boss", "1", new TakenState([1], new StoredGame("TITLE", "AGB-CODE", "gba", 1), 1, new Epoch(1))));
        Assert.Equal([1], store.Read(store.Find("boss")!));

        Link("1/emulators/1", "emulator.log");
        using (var log = new OutputLog(Path.Combine(_folder.FullName, "1", "emulators", "1")))
        {
            log.Add("a line");
        }

        var @lock = Link("roms", "game.sav.lock");
        Assert.Throws<UnauthorizedAccessException>(() => SaveReservation.Take(Path.GetDirectoryName(@lock)!, @lock.Replace(".sav.lock", ".gba", StringComparison.Ordinal)));
        var dangling = Path.Combine(_folder.FullName, "created");
        File.CreateSymbolicLink(Path.Combine(_folder.FullName, "roms", "next.sav.lock"), dangling);
        Assert.Throws<UnauthorizedAccessException>(() => SaveReservation.Take(Path.GetDirectoryName(@lock)!, Path.Combine(_folder.FullName, "roms", "next.gba")));
        Assert.False(File.Exists(dangling));
        Assert.Equal("mine", File.ReadAllText(victim));

        Link("2", "lock");
        Assert.Contains("is a link", Refused(), StringComparison.Ordinal);
        Assert.Equal("mine", File.ReadAllText(victim));
    }

    private string? Refused()
    {
        using var data = new DataFolder(_folder.FullName, NullLogger<DataFolder>.Instance);
        var exception = Record.Exception(() => data.Below("states"));
        Assert.True(exception is null or IOException or UnauthorizedAccessException, $"{exception}");
        return exception?.Message;
    }

    private static async Task<bool> ChownAsync(string owner, string folder)
    {
        using var chown = Process.Start(new ProcessStartInfo("chown", [owner, folder]) { RedirectStandardError = true })!;
        await chown.WaitForExitAsync(TestContext.Current.CancellationToken);
        return chown.ExitCode == 0;
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
