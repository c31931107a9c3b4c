using System.Diagnostics;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Emulator;

public sealed class LocalFilesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mgba-bridge-files-").FullName;

    public LocalFilesTests()
    {
        Directory.CreateDirectory(In("games"));
        Directory.CreateDirectory(In("games/sub"));
        File.WriteAllText(In("games/file"), "");
        File.WriteAllText(In("outside"), "");
        File.CreateSymbolicLink(In("games/link"), In("outside"));
        File.CreateSymbolicLink(In("games/broken"), In("nothing"));
        Directory.CreateSymbolicLink(In("games/way"), _folder);
        using var mkfifo = Process.Start("mkfifo", ["-m", "444", In("games/fifo.sym")]);
        mkfifo.WaitForExit();
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("file", null)]
    [InlineData("sub/new", null)]
    [InlineData("new", null)]
    [InlineData("link", "symbolic link")]
    [InlineData("broken", "symbolic link")]
    [InlineData("way/outside", "symbolic link")]
    [InlineData("sub\\..\\way\\outside", "symbolic link")]
    [InlineData("fifo.sym", "not a regular file")]
    [InlineData("a\0b", "not a usable name")]
    [InlineData("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "not a usable name")]
    public void Check_OfAFile_FindsWhatTheScriptCannotSee(string name, string? reason)
    {
        foreach (var path in new[] { name, $"{In("games")}/{name}" })
        {
            var failure = LocalFiles.Check(path, [In("games") + "/", "/elsewhere"]);
            Assert.Equal(reason is null ? null : "forbidden", failure?.CodeName);
            Assert.Contains(reason ?? "", failure?.Detail ?? "", StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Check_OfAFileElsewhere_IsLeftToTheScript()
    {
        Assert.Null(LocalFiles.Check(In("games/link"), [In("other")]));
        Assert.Null(LocalFiles.Check("link", ["/no/such/folder"]));
        Assert.Null(LocalFiles.Check("link", []));
    }

    [Fact]
    public async Task Commands_WithSuchAFile_AreForbiddenAndNotSent()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Hello = $"folders=\"/elsewhere;{In("games")}\"" });
        await using var client = Clients.To(fake.Port);
        foreach (var name in new[] { "link", "fifo.sym" })
        {
            await IsForbiddenAsync(client, new LoadRom(In($"games/{name}")));
            await IsForbiddenAsync(client, new LoadSave(In($"games/{name}"), Temporary: true));
            await IsForbiddenAsync(client, new SaveScreen(In($"games/{name}")));
            await IsForbiddenAsync(client, new StateFile(StateMove.Save, In($"games/{name}"), null));
        }

        Assert.DoesNotContain(fake.Requests, request => request.Command is not ("hello" or "ping"));
    }

    [Theory]
    [InlineData("127.0.0.1", true)]
    [InlineData("::1", true)]
    [InlineData("localhost", true)]
    [InlineData("192.0.2.1", false)]
    [InlineData("emulator.example", false)]
    public void AreAt_OfAHost_IsTrueForThisMachine(string host, bool local) => Assert.Equal(local, LocalFiles.AreAt(host));

    [Fact]
    public void Names_FromALinkOrAFifo_AreNotRead()
    {
        var exception = Assert.Throws<InvalidDataException>(() => new SymbolStore(new SymbolOptions { Folder = In("games") }));
        Assert.Contains("fifo.sym", exception.Message, StringComparison.Ordinal);
    }

    private static async Task IsForbiddenAsync<TCommand>(EmulatorClient client, TCommand command)
        where TCommand : struct, ICommand<TCommand>
    {
        using var reply = await client.SendAsync(command, default, TestContext.Current.CancellationToken);
        Assert.Equal(("forbidden", 403), (reply.Failure?.CodeName, reply.Failure?.Status));
    }

    private string In(string name) => Path.Combine(_folder, name);
}
