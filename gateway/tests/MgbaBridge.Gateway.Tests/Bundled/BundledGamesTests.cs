using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Bundled;

/// <summary>The games of this program, and the names of the demo game.</summary>
public sealed class BundledGamesTests
{
    private static readonly uint Demo = Crc32.Of(File.ReadAllBytes(Repository.File("demo/demo.gba")));

    [Theory]
    [InlineData(":demo:", true)]
    [InlineData(":test:", true)]
    [InlineData(":other:", false)]
    [InlineData("demo.gba", false)]
    public void Has_ANameOfAGame_SaysSo(string rom, bool expected) => Assert.Equal(expected, BundledGames.Has(rom));

    [Fact]
    public void Of_TheDemoGame_HasItsMapAndSymbols()
    {
        var names = new SymbolStore(new SymbolOptions()).Of(Demo);
        Assert.NotNull(names.Symbols);
        Assert.All(["hp", "coins", "x", "y", "map", "text", "milestone"], name => Assert.NotNull(names.Properties!.Find(name)));
        Assert.Equal("one\ntwo", names.Properties!.TextTables["glyphs"].Decode("one\ntwo\0three"u8));
    }

    [Fact]
    public void Change_OfTheDemoGame_ReplacesAndDeletesThem()
    {
        var store = new SymbolStore(new SymbolOptions());
        Assert.Null(store.Change(Demo, static names => names with { Properties = null }));
        Assert.NotNull(store.Of(Demo).Symbols);
        Assert.Null(store.Change(Demo, static names => names with { Symbols = null }));
        Assert.Equal(new GameSymbols(null, null), store.Of(Demo));
        Assert.Null(store.Of(Demo + 1).Properties);
    }
}
