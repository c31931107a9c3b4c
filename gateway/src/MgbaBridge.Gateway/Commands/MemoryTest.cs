using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>A condition on a number in memory.</summary>
/// <param name="Type">What the number is.</param>
/// <param name="Location">Where it is.</param>
/// <param name="Comparison">How it is looked at.</param>
/// <param name="Value">What it is compared with; nothing for <see cref="Comparison.Changed"/>.</param>
public readonly record struct MemoryTest(NumberType Type, Location Location, Comparison Comparison, long Value)
{
    /// <summary>Writes itself.</summary>
    public void WriteTo(ref HeadWriter head)
    {
        head.Word(Type.Word());
        Location.WriteTo(ref head);
        head.Word(Comparison.Word());
        if (Comparison != Comparison.Changed)
        {
            head.Integer(Value);
        }
    }
}
