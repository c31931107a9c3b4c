using System.IO.Compression;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Supervision;

/// <summary>When a ROM counts as built again: all of it is written, and it is another one.</summary>
public sealed class RomFileTests : IDisposable
{
    private static readonly byte[] Gba = File.ReadAllBytes(Repository.File("headless/roms/mgba-bridge-test.gba"));
    private static readonly byte[] Gb = File.ReadAllBytes(Repository.File("headless/roms/mgba-bridge-test.gb"));

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-rom-");
    private readonly ManualTime _time = new();
    private int _written;

    private string Rom => Path.Combine(_folder.FullName, "game.gba");

    [Fact]
    public void Rom_WrittenInSteps_IsNewWhenItRests()
    {
        var rom = Read(Gba);
        Write([]);
        Assert.False(Rests(rom));
        Write([.. Gba, 1]);
        Assert.False(rom.Look(_time));
        Write([.. Gba, 1, 2]); // before it rested
        Assert.False(rom.Look(_time));
        Assert.True(Rests(rom));
        Assert.Equal((Crc32.Of(Gba), Crc32.Of([.. Gba, 1, 2])), (rom.Crc32, rom.NewCrc32));
        Assert.False(Rests(rom)); // only once

        Write([.. Gba, 3]);
        Assert.True(Rests(rom));
        Assert.True(rom.Read());
        Assert.Equal((Crc32.Of([.. Gba, 3]), null), (rom.Crc32, rom.NewCrc32));
        Assert.False(Rests(rom));
    }

    [Fact]
    public void Rom_ThatIsMovedOverTheOld_IsNew_AndOneThatIsDeletedIsNot()
    {
        var rom = Read(Gba);
        File.Delete(Rom);
        Assert.False(Rests(rom));
        var other = Path.Combine(_folder.FullName, "other.gba");
        File.WriteAllBytes(other, [.. Gba, 1]);
        File.Move(other, Rom, overwrite: true);
        Assert.True(Rests(rom));
    }

    /// <summary>A restart would end the game that runs.</summary>
    [Fact]
    public void Rom_ThatIsGoneOrGarbage_IsNotOffered()
    {
        var rom = Read(Gba);
        Assert.Null(rom.Problem());
        Write([.. Gba, 1]);
        Assert.True(Rests(rom));
        File.Delete(Rom);
        Assert.False(Rests(rom));
        Assert.Null(rom.NewCrc32);
        Assert.EndsWith("cannot be read.", rom.Problem(), StringComparison.Ordinal);

        Write([.. Gba, 1]);
        Assert.True(Rests(rom));
        Write("no ROM"u8.ToArray());
        Assert.False(Rests(rom));
        Assert.Null(rom.NewCrc32);
        Assert.EndsWith("is no whole ROM any more.", rom.Problem(), StringComparison.Ordinal);
    }

    [Fact]
    public void Rom_BehindALink_IsNewWhenItsTargetIs()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need rights there.");
        var target = Path.Combine(_folder.FullName, "built.gba");
        File.WriteAllBytes(target, Gba);
        File.CreateSymbolicLink(Rom, target);
        var rom = new RomFile(Rom);
        rom.Read();
        File.WriteAllBytes(target, [.. Gba, 1]);
        Assert.True(Rests(rom));
    }

    [Fact]
    public void Rom_ThatIsTheSame_IsNotNew()
    {
        var rom = Read(Gba);
        Write(Gba);
        Assert.False(Rests(rom));
        Write([.. Gba, 1]);
        Assert.True(Rests(rom));
        Write(Gba); // the build before again
        Assert.False(Rests(rom));
        Assert.Null(rom.NewCrc32);
    }

    [Fact]
    public void Rom_ThatIsCut_IsNotNewUntilItIsWhole()
    {
        var rom = Read(Gb);
        byte[] changed = [.. Gb];
        changed[^1] ^= 1;
        Write(changed[..^1]);
        Assert.False(Rests(rom));
        Write("no ROM"u8.ToArray());
        Assert.False(Rests(rom));
        Write(changed);
        Assert.True(Rests(rom));
    }

    [Fact]
    public void Rom_InAZip_HasItsOwnChecksum()
    {
        var rom = Read(Zip(Gba));
        Assert.Equal(Crc32.Of(Gba), rom.Crc32);
        Write(Zip([.. Gba, 1]));
        Assert.True(Rests(rom));
        Assert.Equal(Crc32.Of([.. Gba, 1]), rom.NewCrc32);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private RomFile Read(byte[] content)
    {
        Write(content);
        var rom = new RomFile(Rom);
        Assert.True(rom.Read());
        return rom;
    }

    // two writes of a test may come within the precision of the file system's clock
    private void Write(byte[] content)
    {
        File.WriteAllBytes(Rom, content);
        File.SetLastWriteTimeUtc(Rom, DateTime.UnixEpoch.AddSeconds(++_written));
    }

    private bool Rests(RomFile rom)
    {
        var isNew = rom.Look(_time);
        _time.Advance(TimeSpan.FromSeconds(1));
        return rom.Look(_time) || isNew;
    }

    private static byte[] Zip(byte[] rom)
    {
        using var target = new MemoryStream();
        using (var archive = new ZipArchive(target, ZipArchiveMode.Create, leaveOpen: true))
        {
            using var entry = archive.CreateEntry("game.gba").Open();
            entry.Write(rom);
        }

        return target.ToArray();
    }
}
