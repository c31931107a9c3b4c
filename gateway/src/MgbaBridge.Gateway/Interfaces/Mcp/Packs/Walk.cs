using MgbaBridge.Engines.Packs;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Packs;

/// <summary>A walk to a goal, over maps if necessary: each frame the scene is read, and keys are held for the way that is shortest from there.</summary>
/// <param name="play">The game.</param>
/// <param name="goal">Where it leads.</param>
/// <param name="talks">Whether the goal is to be talked to.</param>
/// <param name="maxFrames">After how many frames it stops.</param>
internal sealed class Walk(ScenePlay play, WalkGoal goal, bool talks, long maxFrames)
{
    // a step of a game takes up to 32 frames, the way to another map up to some seconds
    private const int Patience = 48;
    private const int LoadPatience = 300;
    private const int MaxObstacles = 4;
    private const int PlanFrames = 8;

    private readonly HashSet<(int X, int Y)> _obstacles = [];
    private IReadOnlyList<PackBox> _areas = [];
    private WalkPath? _path;
    private long _plannedAt;
    private (long Map, int X, int Y) _last;
    private long _movedAt;
    private long _notFreeAt = -1;
    private bool _near;

    /// <summary>Walks. Returns why it stopped; null at the goal.</summary>
    public async Task<string?> RunAsync()
    {
        _movedAt = play.Frames;
        var began = play.Frames;
        while (true)
        {
            var scene = await play.SceneAsync();
            if (scene.TextBox is not null)
            {
                return "A text box has opened. Call talk to read it, or choose to answer.";
            }

            if (scene.Menu is { } menu)
            {
                return $"The menu {menu.Declared.Name} has opened. Call choose.";
            }

            if (play.Frames - began >= maxFrames)
            {
                return $"The limit of {maxFrames} frame{(maxFrames == 1 ? "" : "s")} was reached.";
            }

            if (!scene.IsFree || scene.Place is not { } place)
            {
                _notFreeAt = _notFreeAt < 0 ? play.Frames : _notFreeAt;
                if (play.Frames - _notFreeAt >= LoadPatience)
                {
                    return $"For {LoadPatience} frames keys did not move the player.";
                }

                await play.StepAsync(1, default);
                continue;
            }

            _notFreeAt = -1;
            if (_last.Map != place.Map)
            {
                Forget();
            }

            if (goal.Map is { } wanted && wanted != place.Map)
            {
                if (await LeaveAsync(place, wanted) is { } stuck)
                {
                    return stuck;
                }

                continue;
            }

            if (goal is { Map: not null, Thing: null })
            {
                return null;
            }

            var areas = goal.AreasIn(place, talks);
            if (areas.Count == 0)
            {
                // what vanishes before the player was taken
                return _near ? null : $"{goal.Name} is not there any more.";
            }

            _near = areas.Any(area => IsNear(area.Area, place));

            if (areas.Where(area => Contains(area.Area, place.X, place.Y)).ToArray() is [var reached, ..])
            {
                if (reached.Side is { } side)
                {
                    await play.PressAsync(side.Key());
                }

                return null;
            }

            if (await AdvanceAsync(place, [.. areas.Select(area => area.Area)], null) is { } blocked)
            {
                return blocked;
            }
        }
    }

    // one frame on the way to the next map
    private async Task<string?> LeaveAsync(ScenePlace place, long wanted)
    {
        if (NextMap(place, wanted) is not { } next)
        {
            return $"No open exit of {MapAnswer.NameOf(play.Pack, place.Map)} leads to {MapAnswer.NameOf(play.Pack, wanted)}.";
        }

        SceneExit[] exits = [.. place.Exits.Where(exit => exit.To == next)];
        if (Array.Find(exits, exit => Contains(exit.Area, place.X, place.Y)) is { } here)
        {
            var isStuck = Moved(place) > Patience;
            await play.StepAsync(1, here.Key?.Key() ?? default);
            return isStuck ? $"The exit to {MapAnswer.NameOf(play.Pack, next)} at {place.X},{place.Y} leads nowhere." : null;
        }

        return await AdvanceAsync(place, [.. exits.Select(exit => exit.Area)], next);
    }

    // one frame on the way to one of these areas
    private async Task<string?> AdvanceAsync(ScenePlace place, IReadOnlyList<PackBox> areas, long? through)
    {
        if (Moved(place) > Patience)
        {
            if (_obstacles.Count >= MaxObstacles)
            {
                return InTheWay(place);
            }

            var (x, y) = _path?.From(place.X, place.Y) ?? default;
            _obstacles.Add((place.X + x, place.Y + y));
            (_path, _movedAt) = (null, play.Frames);
        }

        var isOld = place.Ground.HasMoving && play.Frames - _plannedAt >= PlanFrames;
        if (_path?.From(place.X, place.Y) is null || isOld || !areas.SequenceEqual(_areas))
        {
            (_areas, _plannedAt) = (areas, play.Frames);
            _path = WalkPath.Find(
                place.Ground, play.Pack.Player!.Diagonal, (place.X, place.Y), areas,
                (x, y) => _obstacles.Contains((x, y)) || place.Exits.Any(exit => exit.To != through && Contains(exit.Area, x, y)));
        }

        if (_path?.From(place.X, place.Y) is not var (across, down))
        {
            return _obstacles.Count > 0 ? InTheWay(place) : $"No way leads from {place.X},{place.Y} to {(through is { } map ? $"the exit to {MapAnswer.NameOf(play.Pack, map)}" : goal.Name)}.";
        }

        await play.StepAsync(1, PackSides.KeysOf(across, down));
        return null;
    }

    // the map that comes next on the shortest way over maps; exits of other maps count as open
    private long? NextMap(ScenePlace place, long wanted)
    {
        var first = place.Exits.Select(exit => exit.To).Distinct().Select(to => (Map: to, First: to)).ToList();
        var known = first.Select(one => one.Map).Append(place.Map).ToHashSet();
        for (var index = 0; index < first.Count; index++)
        {
            var (map, by) = first[index];
            if (map == wanted)
            {
                return by;
            }

            first.AddRange(play.Pack.Exits.Where(exit => exit is { List: null, To: not null } && exit.Map == map && known.Add(exit.To.Value)).Select(exit => ((long)exit.To!.Value, by)));
        }

        return null;
    }

    // for how many frames the player has not moved
    private long Moved(ScenePlace place)
    {
        if (_last != (place.Map, place.X, place.Y))
        {
            (_last, _movedAt) = ((place.Map, place.X, place.Y), play.Frames);
        }

        return play.Frames - _movedAt;
    }

    private static string InTheWay(ScenePlace place) => $"Something that the game pack does not know is in the way at {place.X},{place.Y}.";

    private void Forget()
    {
        _obstacles.Clear();
        (_path, _areas, _movedAt) = (null, [], play.Frames);
    }

    private static bool IsNear(PackBox area, ScenePlace place)
    {
        var more = 2 * place.Ground.Cell;
        return Contains(new PackBox(area.Left - more, area.Up - more, area.Right + more, area.Down + more), place.X, place.Y);
    }

    private static bool Contains(PackBox area, int x, int y) => x >= area.Left && x <= area.Right && y >= area.Up && y <= area.Down;
}
