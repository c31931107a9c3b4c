using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Scenarios;

/// <summary>A variable of a game.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Location">Where it is.</param>
/// <param name="Type">How it is stored.</param>
/// <param name="Mask">The bits that count.</param>
public sealed record ScenarioVariable(string Name, Location Location, VariableType Type, long Mask);

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
    private readonly Expression _reward;
    private readonly Expression _done;
    private readonly int[] _compared; // the variables whose change counts

    internal Scenario(IReadOnlyList<ScenarioVariable> variables, Expression? reward, Expression? done, IReadOnlyList<IReadOnlyList<KeySet>> actions, PictureCrop? crop)
    {
        (Variables, _reward, _done, Actions, Crop) = (variables, reward ?? new Constant(0), done ?? new Constant(0), actions, crop);
        _compared = [.. _reward.Compared.Concat(_done.Compared).Distinct().Order()];
        After = [.. variables.Select(RangeOf)];
        Before = [.. _compared.Select(variable => RangeOf(variables[variable]))];
    }

    /// <summary>The variables, in the order of the document.</summary>
    public IReadOnlyList<ScenarioVariable> Variables { get; }

    /// <summary>The key combinations of each group; a step may hold one of each. Empty when every combination is allowed.</summary>
    public IReadOnlyList<IReadOnlyList<KeySet>> Actions { get; }

    /// <summary>The part of the picture that matters, or null.</summary>
    public PictureCrop? Crop { get; }

    /// <summary>The steps by which a program computes the reward.</summary>
    public IReadOnlyList<ExpressionStep> Reward => [.. _reward.Steps(Names)];

    /// <summary>The steps by which a program computes a number that is positive when the episode is over.</summary>
    public IReadOnlyList<ExpressionStep> Done => [.. _done.Steps(Names)];

    private string[] Names => [.. Variables.Select(static variable => variable.Name)];

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

        return new Judgement(_reward.Of(values, changes), _done.Of(values, changes) > 0);
    }

    private static long Next(ScenarioVariable variable, ref ReadOnlySpan<byte> memory)
    {
        var value = variable.Type.Read(memory) & variable.Mask;
        memory = memory[variable.Type.Length..];
        return value;
    }

    private static MemoryRange RangeOf(ScenarioVariable variable) => new(variable.Location, variable.Type.Length, null);
}
