using System.Collections.Concurrent;
using System.Text;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class SaveReservationTests : IDisposable
{
    private const int Users = 8;
    private const int Rounds = 200;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-saves-");
    private readonly DirectoryInfo _roms = Directory.CreateTempSubdirectory("mgba-bridge-roms-");

    public SaveReservationTests()
    {
        foreach (var rom in (string[])["game.gba", "game.gb", "other.gba"])
        {
            File.WriteAllText(Path.Combine(_roms.FullName, rom), rom);
        }
    }

    [Fact]
    public void Save_InUse_IsReservedUntilItIsReleased()
    {
        using (var first = Take("game.gba"))
        {
            Assert.ThrowsAny<IOException>(() => Take("game.gba"));
            Assert.ThrowsAny<IOException>(() => Take("game.gb")); // mGBA names its save file alike
            using var other = Take("other.gba");
            Assert.NotEqual(first.File, other.File);
        }

        Take("game.gba").Dispose();
        Assert.Empty(_folder.GetFiles());
    }

    [Fact]
    public void Run_ThatDidNotEndInOrder_IsFoundByTheNextOneOfItsRom()
    {
        using (var save = Take("game.gba"))
        {
            save.Use("/states", ["second", "first"]);
        }

        using (var save = Take("game.gb"))
        {
            Assert.False(save.IsOfSameRom);
        }

        File.WriteAllText(Path.Combine(_roms.FullName, "game.gba"), "another build");
        using (var save = Take("game.gba"))
        {
            Assert.False(save.IsOfSameRom);
        }

        File.WriteAllText(Path.Combine(_roms.FullName, "game.gba"), "game.gba");
        using (var save = SaveReservation.Take(_folder.FullName, Path.Combine(Directory.CreateSymbolicLink($"{_roms.FullName}/link", _roms.FullName).FullName, "game.gba")))
        {
            Assert.True(save.IsOfSameRom);
            Assert.Equal(("/states", "second,first"), (save.Interrupted!.States, string.Join(',', save.Interrupted.Runs)));
            save.Use("/states", ["third"]);
            save.End();
        }

        Assert.Empty(_folder.GetFiles());
        File.WriteAllText(Path.Combine(_folder.FullName, "game.sav.lock"), """{"rom":"/gam""");
        using (var save = Take("game.gba"))
        {
            Assert.Null(save.Interrupted);
        }
    }

    /// <summary>A lock file that is deleted between its opening and its locking by another user would be locked by nobody else's path.</summary>
    [Fact]
    public void Save_TakenAndReleasedByManyAtOnce_HasOneUserAtATime()
    {
        var (using_, most, taken) = (0, 0, 0);
        var failures = new ConcurrentQueue<Exception>();
        var threads = Enumerable.Range(0, Users).Select(_ => new Thread(() =>
        {
            for (var round = 0; round < Rounds; round++)
            {
                try
                {
                    using var save = Take("game.gba");
                    var now = Interlocked.Increment(ref using_);
                    most = Math.Max(most, now);
                    Interlocked.Increment(ref taken);
                    Thread.Yield();
                    Interlocked.Decrement(ref using_);
                }
                catch (IOException)
                {
                    // another one has it
                }
                catch (Exception exception)
                {
                    failures.Enqueue(exception);
                }
            }
        })).ToArray();
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        Assert.Empty(failures);
        Assert.Equal(1, most);
        Assert.InRange(taken, 1, Users * Rounds);
        Assert.Empty(_folder.GetFiles());
    }

    [Fact]
    public void Save_OfAState_ReplacesTheOneThatIsThere()
    {
        using var save = Take("game.gba");
        save.Replace(Encoding.ASCII.GetBytes("saved"));
        Assert.Equal("saved", File.ReadAllText(Path.Combine(_folder.FullName, "game.sav")));
        save.Replace(null);
        Assert.False(File.Exists(save.File));
    }

    public void Dispose()
    {
        _folder.Delete(recursive: true);
        _roms.Delete(recursive: true);
    }

    private SaveReservation Take(string rom) => SaveReservation.Take(_folder.FullName, Path.Combine(_roms.FullName, rom));
}
