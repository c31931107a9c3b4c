using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Waits until a condition holds, checked once a frame, or until frames have passed.</summary>
/// <param name="AnyOf">Alternatives, each a list of tests that have to hold as a whole; empty to wait for frames alone.</param>
/// <param name="Frames">The timeout in frames, 1..36000; null for none.</param>
public readonly record struct Wait(IReadOnlyList<IReadOnlyList<MemoryTest>> AnyOf, long? Frames) : ICommand<Wait>
{
    private static readonly CommandDescriptor WaitDescriptor = new("wait", CommandKind.Read, lasts: true);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => WaitDescriptor;

    /// <summary>Waits for frames alone.</summary>
    public static Wait ForFrames(long frames) => new([], frames);

    /// <inheritdoc/>
    public static RequestClass ClassOf(in Wait command) => RequestClass.LongRunning;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        for (var alternative = 0; alternative < AnyOf.Count; alternative++)
        {
            for (var test = 0; test < AnyOf[alternative].Count; test++)
            {
                if (alternative + test > 0)
                {
                    head.Word(test > 0 ? "and"u8 : "or"u8);
                }

                AnyOf[alternative][test].WriteTo(ref head);
            }
        }

        if (Frames is { } frames)
        {
            head.Named("frames"u8, frames);
        }
    }

    /// <summary>Whether the condition holds, and the numbers that were read.</summary>
    public static (bool Met, IReadOnlyList<long> Values) Parse(Reply reply)
    {
        var values = reply.Values;
        if (!values.Read() || values.Kind != ValueKind.Boolean)
        {
            throw new UnexpectedReplyException(WaitDescriptor);
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
    /// <summary>Writes the test.</summary>
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

/// <summary>Starts a watch, whose events arrive on this connection.</summary>
/// <param name="Topic">The topic; its name becomes the watch's.</param>
public readonly record struct StartWatch(EventTopic Topic) : ICommand<StartWatch>
{
    private static readonly CommandDescriptor WatchDescriptor = new("watch", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => WatchDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Topic.Name));
        head.Word(Encoding.ASCII.GetBytes(Topic.Kind));
        head.Named("every"u8, Topic.Every);
        if (Topic.Kind == "memory")
        {
            Span<byte> place = stackalloc byte[Location.MaxText];
            head.NamedWord("at"u8, place[..Topic.Location.Format(place)]);
            head.Named("length"u8, Topic.Length);
        }
    }
}

/// <summary>Ends a watch.</summary>
/// <param name="Name">The watch's name.</param>
public readonly record struct StopWatch(string Name) : ICommand<StopWatch>
{
    private static readonly CommandDescriptor UnwatchDescriptor = new("unwatch", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => UnwatchDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Text(Encoding.UTF8.GetBytes(Name));
}
