using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Engines.Packs;

/// <summary>A way over the ground of a map, unit by unit.</summary>
/// <param name="Positions">The positions, from the first to the last.</param>
public sealed record WalkPath(IReadOnlyList<(int X, int Y)> Positions)
{
    /// <summary>The most positions of a map.</summary>
    public const int MaxPositions = 1_048_576;

    private const double AvoidedCost = 40;

    private static readonly (int X, int Y)[] Steps = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (1, -1), (1, 1), (-1, 1)];

    private readonly Dictionary<(int, int), int> _indexes = Indexed(Positions);

    /// <summary>The direction in which the way continues from a position; null when it is not on the way, or at its end.</summary>
    public (int X, int Y)? From(int x, int y) => _indexes.TryGetValue((x, y), out var index) && index + 1 < Positions.Count
        ? (Positions[index + 1].X - x, Positions[index + 1].Y - y)
        : null;

    /// <summary>Finds the shortest way; of equal ones one that turns seldom. Null when there is none.</summary>
    /// <param name="ground">The ground.</param>
    /// <param name="diagonal">How much longer a diagonal unit takes; null when there are no diagonal steps.</param>
    /// <param name="from">Where it begins.</param>
    /// <param name="goals">The positions of which one is to be reached, as areas.</param>
    /// <param name="isClosed">Whether a position must not be entered, beside what the ground says.</param>
    public static WalkPath? Find(WalkGround ground, double? diagonal, (int X, int Y) from, IReadOnlyList<PackBox> goals, Func<int, int, bool> isClosed)
    {
        var (width, height) = (ground.Width * ground.Cell, ground.Height * ground.Cell);
        if (goals.Count == 0 || !ground.Has(from.X, from.Y))
        {
            return null;
        }

        var costs = new float[width * height];
        var arrived = new byte[width * height]; // the step by which a position was reached, from 1
        Array.Fill(costs, float.PositiveInfinity);
        var open = new PriorityQueue<int, (float Cost, float Left)>();
        var start = IndexOf(from.X, from.Y);
        costs[start] = 0;
        open.Enqueue(start, (LeftFrom(from.X, from.Y), 0));
        while (open.TryDequeue(out var index, out var priority))
        {
            var (x, y) = (ground.Left + (index % width), ground.Top + (index / width));
            if (goals.Any(goal => Distance(goal, x, y) == (0, 0)))
            {
                return PathTo(index);
            }

            if (priority.Cost > costs[index] + LeftFrom(x, y) + 0.01f)
            {
                continue; // a shorter way was found later
            }

            for (var step = 0; step < (diagonal is null ? 4 : Steps.Length); step++)
            {
                var (nextX, nextY) = (x + Steps[step].X, y + Steps[step].Y);
                if (!CanGo(nextX, nextY) || (step >= 4 && (!CanGo(nextX, y) || !CanGo(x, nextY))))
                {
                    continue;
                }

                var next = IndexOf(nextX, nextY);
                var turn = arrived[index] == 0 || arrived[index] == step + 1 ? 0 : 0.05f;
                var cost = costs[index] + (step >= 4 ? (float)diagonal! : 1f) + turn + (ground.IsAvoided(nextX, nextY) ? (float)AvoidedCost : 0);
                if (cost < costs[next])
                {
                    (costs[next], arrived[next]) = (cost, (byte)(step + 1));
                    var left = LeftFrom(nextX, nextY);
                    open.Enqueue(next, (cost + left, left));
                }
            }
        }

        return null;

        int IndexOf(int x, int y) => ((y - ground.Top) * width) + x - ground.Left;

        bool CanGo(int x, int y) => ground.Has(x, y) && ground.IsFree(x, y) && !isClosed(x, y);

        float LeftFrom(int x, int y) => goals.Min(goal =>
        {
            var (across, down) = Distance(goal, x, y);
            return diagonal is { } longer
                ? (Math.Min(across, down) * (float)Math.Min(longer, 2)) + Math.Abs(across - down)
                : across + down;
        });

        WalkPath PathTo(int index)
        {
            var positions = new List<(int, int)>();
            while (true)
            {
                var (x, y) = (ground.Left + (index % width), ground.Top + (index / width));
                positions.Add((x, y));
                if (arrived[index] is not (> 0 and var step))
                {
                    break;
                }

                index = IndexOf(x - Steps[step - 1].X, y - Steps[step - 1].Y);
            }

            positions.Reverse();
            return new WalkPath(positions);
        }
    }

    private static (int Across, int Down) Distance(PackBox area, int x, int y) =>
        (Math.Max(0, Math.Max(area.Left - x, x - area.Right)), Math.Max(0, Math.Max(area.Up - y, y - area.Down)));

    private static Dictionary<(int, int), int> Indexed(IReadOnlyList<(int X, int Y)> positions)
    {
        var indexes = new Dictionary<(int, int), int>();
        for (var index = 0; index < positions.Count; index++)
        {
            indexes[positions[index]] = index;
        }

        return indexes;
    }
}
