using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Scenarios;

/// <summary>A variable of a game.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Address">Where it is on the game's bus.</param>
/// <param name="Type">How it is stored.</param>
/// <param name="Mask">The bits that count.</param>
public sealed record ScenarioVariable(string Name, long Address, VariableType Type, long Mask);

/// <summary>The part of the picture that matters. Width or height 0 is the rest.</summary>
/// <param name="X">The first pixel of a row.</param>
/// <param name="Y">The first row.</param>
/// <param name="Width">How many pixels a row has.</param>
/// <param name="Height">How many rows there are.</param>
public readonly record struct PictureCrop(int X, int Y, int Width, int Height);

/// <summary>What a step was worth, and whether the scenario is over.</summary>
/// <param name="Reward">The reward.</param>
/// <param name="Done">Whether it is over.</param>
public readonly record struct Judgement(double Reward, bool Done);

/// <summary>An integration of a game: its variables, the reward of a step, and when an episode is over.</summary>
public sealed class Scenario
{
    private readonly RewardTerm[] _rewards;
    private readonly DoneNode? _done;
    private readonly int[] _compared; // the variables whose change counts

    internal Scenario(IReadOnlyList<ScenarioVariable> variables, double time, RewardTerm[] rewards, DoneNode? done, IReadOnlyList<IReadOnlyList<KeySet>> actions, PictureCrop? crop)
    {
        (Variables, Time, _rewards, _done, Actions, Crop) = (variables, time, rewards, done, actions, crop);
        _compared = [.. rewards.Select(term => term.Measure).Concat(done?.Measures ?? []).Where(measure => measure.IsDelta).Select(measure => measure.Variable).Distinct().Order()];
        After = [.. variables.Select(RangeOf)];
        Before = [.. _compared.Select(variable => RangeOf(variables[variable]))];
    }

    /// <summary>The variables, in the order of the document.</summary>
    public IReadOnlyList<ScenarioVariable> Variables { get; }

    /// <summary>The key combinations of each group; a step may hold one of each. Empty when every combination is allowed.</summary>
    public IReadOnlyList<IReadOnlyList<KeySet>> Actions { get; }

    /// <summary>The part of the picture that matters, or null.</summary>
    public PictureCrop? Crop { get; }

    /// <summary>The reward of each step in itself.</summary>
    public double Time { get; }

    /// <summary>What is read in the frame in which a step begins.</summary>
    public IReadOnlyList<MemoryRange> Before { get; }

    /// <summary>What is read in the frame that a step reaches: all variables.</summary>
    public IReadOnlyList<MemoryRange> After { get; }

    /// <summary>The keys that the actions allow: of each group its keys, if they are one of its combinations.</summary>
    public KeySet Allowed(KeySet keys)
    {
        if (Actions.Count == 0)
        {
            return keys;
        }

        var allowed = 0;
        foreach (var group in Actions)
        {
            var held = keys.Mask & group.Aggregate(0, static (mask, combination) => mask | combination.Mask);
            allowed |= group.Contains(new KeySet(held)) ? held : 0;
        }

        return new KeySet(allowed);
    }

    /// <summary>Judges a step by the memory of <see cref="Before"/> and <see cref="After"/>, one range after another.</summary>
    /// <param name="before">The memory in the frame in which it began.</param>
    /// <param name="after">The memory in the frame that it reached.</param>
    /// <param name="values">Receives the values of the variables.</param>
    public Judgement Judge(ReadOnlySpan<byte> before, ReadOnlySpan<byte> after, Span<long> values)
    {
        Span<long> changes = stackalloc long[values.Length];
        for (var index = 0; index < Variables.Count; index++)
        {
            values[index] = Next(Variables[index], ref after);
        }

        foreach (var index in _compared)
        {
            changes[index] = values[index] - Next(Variables[index], ref before);
        }

        var reward = Time;
        foreach (var term in _rewards)
        {
            var measured = term.Measure.Of(values, changes);
            reward += measured * (measured < 0 ? term.Penalty : term.Reward);
        }

        return new Judgement(reward, _done?.IsDone(values, changes) ?? false);
    }

    private static long Next(ScenarioVariable variable, ref ReadOnlySpan<byte> memory)
    {
        var value = variable.Type.Read(memory) & variable.Mask;
        memory = memory[variable.Type.Length..];
        return value;
    }

    private static MemoryRange RangeOf(ScenarioVariable variable) => new(Location.Bus(variable.Address), variable.Type.Length, null);
}

/// <summary>What is made of a measured number.</summary>
internal enum MeasureOperation
{
    None,
    Zero,
    Nonzero,
    Positive,
    Negative,
    Sign,
    Equal,
    NegativeEqual,
    NotEqual,
    LessThan,
    GreaterThan,
    LessOrEqual,
    GreaterOrEqual,
}

/// <summary>A number made from a variable.</summary>
/// <param name="Variable">The index of the variable.</param>
/// <param name="IsDelta">Whether its change in the step is measured instead of its value.</param>
/// <param name="Operation">What is made of it.</param>
/// <param name="Reference">What it is compared with.</param>
internal readonly record struct Measure(int Variable, bool IsDelta, MeasureOperation Operation, long Reference)
{
    public long Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes)
    {
        var value = IsDelta ? changes[Variable] : values[Variable];
        return Operation switch
        {
            MeasureOperation.None => value,
            MeasureOperation.Sign => Math.Sign(value),
            MeasureOperation.Zero => One(value == 0),
            MeasureOperation.Nonzero => One(value != 0),
            MeasureOperation.Positive => One(value > 0),
            MeasureOperation.Negative => One(value < 0),
            MeasureOperation.Equal => One(value == Reference),
            MeasureOperation.NegativeEqual => One(value == -Reference),
            MeasureOperation.NotEqual => One(value != Reference),
            MeasureOperation.LessThan => One(value < Reference),
            MeasureOperation.GreaterThan => One(value > Reference),
            MeasureOperation.LessOrEqual => One(value <= Reference),
            _ => One(value >= Reference),
        };
    }

    private static long One(bool holds) => holds ? 1 : 0;
}

/// <summary>A part of the reward.</summary>
/// <param name="Measure">What is measured.</param>
/// <param name="Reward">The factor of a positive number.</param>
/// <param name="Penalty">The factor of a negative number.</param>
internal readonly record struct RewardTerm(Measure Measure, double Reward, double Penalty);

/// <summary>When an episode is over.</summary>
/// <param name="IsAll">Whether all of the conditions and nodes have to hold instead of one.</param>
/// <param name="Conditions">Those whose number is positive hold.</param>
/// <param name="Nodes">The nodes below.</param>
internal sealed record DoneNode(bool IsAll, Measure[] Conditions, DoneNode[] Nodes)
{
    /// <summary>Those of this node and of all below.</summary>
    public IEnumerable<Measure> Measures => Conditions.Concat(Nodes.SelectMany(node => node.Measures));

    public bool IsDone(ReadOnlySpan<long> values, ReadOnlySpan<long> changes)
    {
        foreach (var condition in Conditions)
        {
            if (condition.Of(values, changes) > 0 != IsAll)
            {
                return !IsAll;
            }
        }

        foreach (var node in Nodes)
        {
            if (node.IsDone(values, changes) != IsAll)
            {
                return !IsAll;
            }
        }

        return IsAll;
    }
}
