using MgbaBridge.Gateway.Testing;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Testing;

public sealed class TestSourcesTests : IDisposable
{
    private const string OneTest = "rom: game.gba\ntests: [{name: a, steps: [{wait: 1}]}]";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-tests-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Folder_HasTestFilesAndPictureFolders()
    {
        Write("b/two.test.yml", "rom: ../game.gba\ntests: [{name: a, steps: [{wait: 1}]}]");
        Write("one.test.yaml", OneTest);
        Write("c/picture/test.gba", "");
        File.Copy(Repository.File("headless/roms/test/gb-60.png"), PathOf("c/picture/baseline_0000.png"));
        Write("c/ignored/test.gba", "");
        Write("c/ignored/xbaseline_0000.png", "");
        Write("c/ignored/config.ini", "[testinfo]\nignore=1\n");
        Write("game.gba", "");
        Write("no-test.yaml", "");
        Directory.CreateSymbolicLink(PathOf("b/loop"), _folder.FullName);

        var (sources, problems) = TestSources.Read([_folder.FullName, PathOf("one.test.yaml"), $"{PathOf("b")}/../one.test.yaml", PathOf("game.gba")], updates: false);

        Assert.Empty(problems);
        Assert.Equal(["b/two.test.yml", "c/picture", "one.test.yaml", "game.gba"], sources.Select(source => Path.GetRelativePath(_folder.FullName, source.Path)));
        Assert.IsType<SelfTestRom>(sources[^1]);
    }

    [Fact]
    public void Sources_ThatAreWrong_StandBesideTheOthers()
    {
        Write("game.gba", "");
        Write("a.test.yaml", "tests: 5");
        Write("b.test.yaml", OneTest);
        Directory.CreateDirectory(PathOf("empty"));

        var (sources, problems) = TestSources.Read([PathOf("a.test.yaml"), PathOf("b.test.yaml"), PathOf("c.test.yaml"), PathOf("empty")], updates: false);

        Assert.Equal([PathOf("b.test.yaml")], sources.Select(static source => source.Path));
        Assert.Equal(
            [
                (false, $"{PathOf("empty")} has no tests: no *.test.yaml, no ROMs and no folders with baseline_0000.png."),
                (false, $"{PathOf("a.test.yaml")}:1:8: tests is a list."),
                (true, $"{PathOf("c.test.yaml")} cannot be read: "),
            ],
            problems.Select(static problem => (problem.IsOfTheFile, problem.IsOfTheFile ? problem.Reason[..(problem.Reason.IndexOf("read: ", StringComparison.Ordinal) + 6)] : problem.Reason)));
    }

    [Theory]
    [InlineData("game.gba", true)]
    [InlineData("a.test.yaml", true)]
    [InlineData("hack.ips", true)]
    [InlineData("picture.png", true)]
    [InlineData("other.txt", false)]
    public void Stamps_DifferWhenAFileOfTheTestsChanges(string name, bool differ)
    {
        Write("game.gba", "");
        Write("hack.ips", "");
        Write("other.txt", "");
        Write("a.test.yaml", "rom: game.gba\npatch: hack.ips\ntests: [{name: a, steps: [{picture: picture.png}]}]");
        var before = TestSources.Stamps([_folder.FullName]);

        File.AppendAllText(PathOf(name), "\n");

        Assert.Equal(differ, !TestSources.Stamps([_folder.FullName]).SetEquals(before));
    }

    private void Write(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(PathOf(name))!);
        File.WriteAllText(PathOf(name), text);
    }

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
