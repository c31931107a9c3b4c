using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Testing;

namespace MgbaBridge.Gateway.Tests.Testing;

public sealed class CinemaFolderTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-tests-");

    public CinemaFolderTests()
    {
        Write("suite/config.ini", "[ports.cinema]\nsgb.borders=0\ngb.model=DMG\n[testinfo]\nskip=10\n");
        Write("suite/case/test.gb", "");
        Write("suite/case/baseline_0000.png", "");
        Write("suite/case/baseline_0001.png", "");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Folder_IsOneTestWithItsPictures()
    {
        Write("suite/case/config.ini", "[ports.cinema]\ngb.model=CGB\n[testinfo]\ninput=1:3\n");

        var file = CinemaFolder.Read(PathOf("suite/case"))!;

        Assert.Equal(PathOf("suite/case/test.gb"), file.Rom);
        Assert.Equal(["gb.model=CGB", "sgb.borders=0"], file.Options.Config!.Order());
        var test = Assert.Single(file.Tests);
        Assert.Equal(("case", false), (test.Id.Name, test.ExpectsFailure));
        Assert.Equal(
            [
                new WaitStep(1, 9),
                new WaitStep(1, 1),
                new PictureStep(1, PathOf("suite/case/baseline_0000.png"), null, 0, new PictureComparison()),
                new ReleaseStep(1, new KeySet(KeySet.All)),
                new HoldStep(1, KeySet.Parse("A+B")),
                new WaitStep(1, 1),
                new PictureStep(1, PathOf("suite/case/baseline_0001.png"), null, 0, new PictureComparison()),
            ],
            test.Steps);
    }

    [Theory]
    [InlineData(true, false, "baseline_0000.png", true)]
    [InlineData(true, true, "xbaseline_0000.png", false)]
    [InlineData(false, true, "baseline_0000.png", true)]
    public void Folder_OfAKnownFailure_HasPicturesOfItOrFails(bool hasExpected, bool hasKnown, string picture, bool fails)
    {
        Write("suite/case/config.ini", "[testinfo]\nfail=1\n");
        foreach (var index in (int[])[0, 1])
        {
            if (hasKnown)
            {
                Write($"suite/case/xbaseline_000{index}.png", "");
            }

            if (!hasExpected)
            {
                File.Delete(PathOf($"suite/case/baseline_000{index}.png"));
            }
        }

        var test = CinemaFolder.Read(PathOf("suite/case"))!.Tests[0];

        Assert.Equal((fails, PathOf($"suite/case/{picture}")), (test.ExpectsFailure, test.Steps.OfType<PictureStep>().First().File));
    }

    [Theory]
    [InlineData("video=1", "{folder}: video=1 in config.ini; only tests with pictures are supported.")]
    [InlineData("frames=3", "{folder} has 2 pictures, but frames=3.")]
    [InlineData("skip=-1", "{folder}: skip=-1 in config.ini; expected an integer from 0 to 999999.")]
    [InlineData("input=0:800", "{folder}: \"0:800\" of input in config.ini is not FRAME:MASK with a mask of up to 3ff.")]
    [InlineData("input=A", "{folder}: \"A\" of input in config.ini is not FRAME:MASK with a mask of up to 3ff.")]
    public void Folder_ThatIsWrong_IsRefused(string setting, string message)
    {
        Write("suite/case/config.ini", $"[testinfo]\n{setting}\n");

        var error = Assert.Throws<TestFileException>(() => CinemaFolder.Read(PathOf("suite/case")));

        Assert.Equal(message.Replace("{folder}", PathOf("suite/case"), StringComparison.Ordinal), error.Message);
    }

    [Fact]
    public void Folder_WithoutAGame_IsRefused()
    {
        File.Delete(PathOf("suite/case/test.gb"));

        Assert.Equal($"{PathOf("suite/case")} has no test.gb, test.gbc, test.gba, test.mvl.", Assert.Throws<TestFileException>(() => CinemaFolder.Read(PathOf("suite/case"))).Message);
    }

    private void Write(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(PathOf(name))!);
        File.WriteAllText(PathOf(name), text);
    }

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
