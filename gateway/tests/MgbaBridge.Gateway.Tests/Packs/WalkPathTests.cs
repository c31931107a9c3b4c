using MgbaBridge.Engines.Packs;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Tests.Packs;

/// <summary>Ways over the ground of a map.</summary>
public sealed class WalkPathTests
{
    [Theory]
    [InlineData("@.G", 2)]
    [InlineData("@#G|...", 4)]
    [InlineData("@#G", -1)]
    [InlineData("@x.|#.G", -1)]
    [InlineData("@..|###|G..", -1)]
    [InlineData("@....|####.|G....", 10)]
    public void Find_OnCells_IsTheShortest(string map, int steps) => Assert.Equal(steps, Find(map, Player())?.Positions.Count - 1 ?? -1);

    [Fact]
    public void Find_OfEqualWays_TurnsOnce()
    {
        var path = Find("@...|....|....|...G", Player())!;
        Assert.Equal(6, path.Positions.Count - 1);
        Assert.Equal(1, path.Positions.Zip(path.Positions.Skip(1), (one, other) => (other.X - one.X, other.Y - one.Y)).Aggregate((Last: default((int, int)?), Turns: -1), (now, step) => (step, now.Turns + (now.Last == step ? 0 : 1))).Turns);
    }

    [Fact]
    public void Find_Diagonally_CutsNoCorner()
    {
        Assert.Equal(3, Find("@...|....|....|...G", Player(diagonal: 1.5))!.Positions.Count - 1);
        Assert.Equal([(0, 0), (0, 1), (1, 1)], Find("@#|.G", Player(diagonal: 1.5))!.Positions);
    }

    [Fact]
    public void Find_WithABody_NeedsTheRoom()
    {
        Assert.NotNull(Find("@...|....|..G.", Player(new PackBox(0, 0, 1, 0))));
        Assert.Null(Find("@.#.|....|..#G", Player(new PackBox(0, 1, 0, 0)), hasOpenEdge: true, closed: (2, 1)));
    }

    [Fact]
    public void Find_NearWhatIsToBeAvoided_GoesAround()
    {
        var crab = new SceneThing("crab", 2, 0, new PackThing { Name = "crab", Avoid = new PackSize(1, 1) });
        Assert.DoesNotContain((2, 0), Find("@...G|.....", Player(), things: crab)!.Positions);
        Assert.Contains((2, 0), Find("@...G", Player(), things: crab)!.Positions);
    }

    [Fact]
    public void From_APosition_IsTheNextStep()
    {
        var path = Find("@.G", Player())!;
        Assert.Equal((1, 0), path.From(0, 0));
        Assert.Null(path.From(2, 0));
        Assert.Null(path.From(0, 1));
    }

    private static PackPlayer Player(PackBox body = default, double? diagonal = null) => new() { X = default, Y = default, Body = body, Diagonal = diagonal };

    private static WalkPath? Find(string map, PackPlayer player, bool hasOpenEdge = false, (int, int)? closed = null, params SceneThing[] things)
    {
        var rows = map.Split('|');
        var cells = string.Concat(rows);
        var width = rows[0].Length;
        var ground = new WalkGround(0, 0, width, rows.Length, 1, [.. cells.Select(cell => cell == '#')], player, hasOpenEdge, things);
        var (start, goal) = (cells.IndexOf('@'), cells.IndexOf('G'));
        return WalkPath.Find(
            ground, player.Diagonal, (start % width, start / width), [new PackBox(goal % width, goal / width, goal % width, goal / width)],
            (x, y) => cells[(y * width) + x] == 'x' || closed == (x, y));
    }
}
