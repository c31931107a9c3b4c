using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct Wait
{
    /// <summary>Waits for frames alone.</summary>
    public static Wait ForFrames(long frames) => new([], frames);

    /// <summary>Whether the condition holds, and the numbers that were read.</summary>
    public static (bool Met, IReadOnlyList<long> Values) Parse(Reply reply)
    {
        var values = reply.Values;
        if (!values.Read() || values.Kind != ValueKind.Boolean)
        {
            throw new UnexpectedReplyException(Row);
        }

        var met = values.Boolean;
        var found = new List<long>();
        while (values.TryReadInteger(out var value))
        {
            found.Add(value);
        }

        return (met, found);
    }
}

/// <summary>A condition on a number in memory.</summary>
/// <param name="Type">The type of the number.</param>
/// <param name="Location">Where it is.</param>
/// <param name="Comparison">The comparison.</param>
/// <param name="Value">The other operand; unused for <see cref="Comparison.Changed"/>.</param>
public readonly record struct MemoryTest(NumberType Type, Location Location, Comparison Comparison, long Value)
{
    /// <summary>Writes alternatives, each a list of tests that have to hold as a whole.</summary>
    public static void WriteTo(ref HeadWriter head, IReadOnlyList<IReadOnlyList<MemoryTest>> anyOf)
    {
        for (var alternative = 0; alternative < anyOf.Count; alternative++)
        {
            for (var test = 0; test < anyOf[alternative].Count; test++)
            {
                if (alternative + test > 0)
                {
                    head.Word(test > 0 ? "and"u8 : "or"u8);
                }

                anyOf[alternative][test].WriteTo(ref head);
            }
        }
    }

    private void WriteTo(ref HeadWriter head)
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
