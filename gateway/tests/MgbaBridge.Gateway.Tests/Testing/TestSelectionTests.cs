using MgbaBridge.Gateway.Testing;

namespace MgbaBridge.Gateway.Tests.Testing;

public sealed class TestSelectionTests
{
    private static readonly TestSource[] Sources = [FileOf("a.test.yaml", 5), new SelfTestRom("roms/self.gba"), FileOf("b.test.yaml", 1), FileOf("c.test.yaml", 12)];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(7)]
    [InlineData(40)]
    public void Parts_HaveEachTestOnce_AndDifferByOne(int parts)
    {
        var selected = Enumerable.Range(1, parts).Select(part => new TestSelection(null, part, parts).Of(Sources).SelectMany(Names).ToArray()).ToArray();

        Assert.Equal(Sources.SelectMany(Names), selected.SelectMany(static names => names));
        Assert.True(selected.Max(static names => names.Length) - selected.Min(static names => names.Length) <= 1);
    }

    [Theory]
    [InlineData("TEST 3", new[] { "a.test.yaml test 3", "c.test.yaml test 3" })]
    [InlineData("self", new[] { "roms/self.gba" })]
    [InlineData("none", new string[0])]
    public void Only_ComparesNames_OfARomItsPath(string text, string[] names) => Assert.Equal(names, new TestSelection(text, 1, 1).Of(Sources).SelectMany(Names));

    [Theory]
    [InlineData("1/1", true)]
    [InlineData("4/4", true)]
    [InlineData("5/4", false)]
    [InlineData("0/4", false)]
    [InlineData("-1/4", false)]
    [InlineData("1/10001", false)]
    [InlineData("1", false)]
    [InlineData("1/2/3", false)]
    [InlineData("a/b", false)]
    [InlineData("", false)]
    public void Shard_IsPartOfParts(string text, bool isOne) => Assert.Equal(isOne, TestSelection.TryParseShard(text, out _));

    private static TestFile FileOf(string path, int tests) => new(
        path, "rom.gba", [.. Enumerable.Range(1, tests).Select(number => new GameTest(new TestId(path, number, $"test {number}", 1), 1, false, []))]);

    private static IEnumerable<string> Names(TestSource source) => source is TestFile file ? file.Tests.Select(test => $"{file.Path} {test.Id.Name}") : [source.Path];
}
