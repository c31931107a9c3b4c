using System.Text;
using MgbaBridge.Engines.Packs;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Packs;

/// <summary>Packs: their file, and the scene in the values of a game.</summary>
public sealed class SceneReaderTests
{
    // a map around the player as games with a screen of tiles have it, with lists of people and doors in memory
    private const string Around = """
        {
          "structs": { "one": { "fields": { "x": { "type": "u8", "at": 0 }, "y": { "type": "u8", "at": 1 }, "to": { "type": "u8", "at": 2 } } } },
          "properties": {
            "cells": { "type": "u8", "count": 24, "at": "0x02000000" },
            "passable": { "type": "u8", "count": 4, "at": "0x02000020" },
            "people": { "type": "one", "count": 3, "at": "0x02000030" }
          },
          "pack": {
            "player": { "x": "0x02000040 u8", "y": "0x02000041 u8", "map": "0x02000042 u8", "free": "0x02000043 u8 == 0" },
            "grid": { "cells": "cells", "width": 3, "height": 2, "left": -1, "top": -1, "fromPlayer": true, "first": 4, "across": 2, "down": 8, "mask": 127, "free": "passable", "freeEnd": 255 },
            "things": [{ "name": "person", "list": "people", "count": "0x02000044 u8", "x": -4, "y": -4, "blocks": [1, 1] }, { "name": "elsewhere", "map": 8, "x": 0, "y": 0 }],
            "exits": [{ "list": "people", "count": 1 }],
            "text": { "open": "0x02000045 u8 == 1", "value": "0x02000050 text 8" },
            "menus": [{ "name": "m", "open": "0x02000046 u8 == 1", "cursor": "0x02000047 u8", "options": ["a", "b"] }],
            "milestones": [{ "name": "one", "when": "0x02000046 u8 == 1" }]
          }
        }
        """;

    private readonly byte[] _memory = new byte[0x100];

    [Fact]
    public void Scene_OfCellsAroundThePlayer_HasItsListsAndMenus()
    {
        (_memory[0x40], _memory[0x41], _memory[0x42], _memory[0x44]) = (10, 20, 7, 2);
        byte[] cells = [0x81, 9, 2, 9, 3]; // in every second place from the fourth on; the highest bit does not count
        cells.CopyTo(_memory, 4);
        ((byte[])[1, 2, 255, 3]).CopyTo(_memory, 0x20);
        ((byte[])[14, 23, 5, 15, 24, 6, 99, 99, 99]).CopyTo(_memory, 0x30);
        (_memory[0x45], _memory[0x46], _memory[0x47]) = (1, 1, 1);
        Encoding.ASCII.GetBytes("Hello ").CopyTo(_memory, 0x50);

        var (scene, wrong) = Read(Around);
        Assert.Null(wrong);
        var place = scene!.Place!;
        Assert.Equal((7, 10, 20), (place.Map, place.X, place.Y));
        Assert.True(scene.IsFree);
        Assert.Equal([false, false, true, true, true, true], from row in Enumerable.Range(0, 2) from column in Enumerable.Range(0, 3) select place.Ground.IsBlocked(column, row));
        Assert.Equal((9, 19), (place.Ground.Left, place.Ground.Top));
        Assert.Equal([("person 1", 10, 19), ("person 2", 11, 20)], place.Things.Select(thing => (thing.Name, thing.X, thing.Y)));
        Assert.Equal((5, new PackBox(14, 23, 14, 23)), Assert.Single(place.Exits.Select(exit => (exit.To, exit.Area))));
        Assert.Equal("Hello", scene.TextBox);
        Assert.Equal("b", scene.Menu!.Option);
        Assert.Equal("one", Assert.Single(scene.Reached).Name);

        (_memory[0x43], _memory[0x45], _memory[0x47]) = (1, 0, 9);
        (scene, _) = Read(Around);
        Assert.False(scene!.IsFree);
        Assert.Null(scene.TextBox);
        Assert.Null(scene.Menu!.Option);
    }

    [Theory]
    [InlineData("""{"player":{"x":0}}""", "it lacks 'y'")]
    [InlineData("""{"player":{"x":true,"y":0}}""", "A number is expected")]
    [InlineData("""{"player":{"x":0,"y":0,"free":"mode"}}""", "\"mode\" is not a test")]
    [InlineData("""{"player":{"x":0,"y":0,"body":[1,2]}}""", "Four numbers are expected")]
    [InlineData("""{"player":{"x":0,"y":0,"body":[1,2,3,999]}}""", "pack.player.body: body has four numbers from 0 to 256.")]
    [InlineData("""{"player":{"x":0,"y":0,"diagonal":9}}""", "pack.player.diagonal: diagonal is 1 to 2.")]
    [InlineData("""{"player":{"x":0,"y":0},"grid":{"cells":"c","width":1,"height":1,"free":[0],"cell":0}}""", "pack.grid.cell: cell is 1 to 256 units.")]
    [InlineData("""{"player":{"x":0,"y":0},"maps":{"town":"1"}}""", "pack.maps.town: The name of a map stands behind its number")]
    [InlineData("""{"player":{"x":0,"y":0},"exits":[{"to":1},{}]}""", "pack.exits.1: It lacks 'to'")]
    [InlineData("""{"player":{"x":0,"y":0},"menus":[{"name":"m","open":"a == 1","options":["a","b"]}]}""", "pack.menus.0: A menu with several options has a cursor")]
    [InlineData("""{"player":{"x":0,"y":0},"menus":[{"name":"m","open":"a == 1","options":["a"],"select":"Z"}]}""", "A key is expected")]
    [InlineData("""{"player":{"x":0,"y":0},"things":[{"name":"t","sides":["Front"]}]}""", "Left, Up, Right, Down")]
    [InlineData("""{"player":{"x":0,"y":0},"thing":[]}""", "thing")]
    [InlineData("""{"player":{"x":0,"y":0,"free":"mode changed"}}""", "changed has no meaning in a pack")]
    [InlineData("""{"things":[{"name":"tree"},{"name":"Tree"}]}""", "pack.things.1: There is another thing Tree on this map")]
    [InlineData("""{"things":[{"name":"1,1"}]}""", "A name has a letter")]
    [InlineData("""{"things":[{"name":"tree","blocks":[-1,1]}]}""", "blocks has two numbers from 0 to 256.")]
    [InlineData("""{"exits":[{"area":[9,9,0,0],"to":1}]}""", "right is not less than left")]
    [InlineData("""{"exits":[{"map":1,"to":1}]}""", "It leads to its own map.")]
    [InlineData("""{"grid":{"cells":"c","width":0,"height":1,"free":[0]}}""", "pack.grid.width: width is 1 to 262144 cells.")]
    [InlineData("""{"grid":{"cells":"c","width":1,"height":1,"free":[0],"left":2147483647}}""", "pack.grid.left: left is -32768 to 65535.")]
    public void File_WithAMistake_IsRefusedWithItsPlace(string pack, string expected)
    {
        var wrong = Assert.Throws<NameFormatException>(() => PropertyMapFile.Read(Encoding.UTF8.GetBytes($$"""{"properties":{},"pack":{{pack}}}"""))).Message;
        Assert.StartsWith("Line 1, column ", wrong, StringComparison.Ordinal);
        Assert.Contains(expected, wrong, StringComparison.Ordinal);
    }

    [Fact]
    public void ReadPack_BesideARom_TakesItsFile()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-test-").FullName;
        try
        {
            var (rom, file) = (Path.Combine(folder, "game.gba"), Path.Combine(folder, "game.pack.json"));
            var wrong = new List<string>();
            Assert.Null(RomSymbols.ReadPack(rom, (_, reason) => wrong.Add(reason)));
            Assert.Empty(wrong);
            File.WriteAllText(file, "{}");
            Assert.Null(RomSymbols.ReadPack(rom, (_, reason) => wrong.Add(reason)));
            Assert.Contains("it lacks 'properties'", Assert.Single(wrong), StringComparison.Ordinal);
            File.WriteAllText(file, Around);
            Assert.NotNull(RomSymbols.ReadPack(rom, (_, reason) => wrong.Add(reason))!.Value.Map.Pack);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private (GameScene? Scene, string? Wrong) Read(string file)
    {
        var names = new GameSymbols(null, PropertyMapFile.Read(Encoding.UTF8.GetBytes(file)));
        Assert.Null(SceneReader.Find(names.Properties!.Pack!, names, out var reader));
        return reader.Read([.. reader.Wanted.Select(wanted => new NamedValue(
            wanted.Property, wanted.At, _memory.AsMemory((int)(wanted.At.Offset - Play.Magic), wanted.Property.Type.Size), []))]);
    }
}
