using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadKeys
{
    /// <summary>Only the mask as the game sees it.</summary>
    public static KeySet ParseDown(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var mask) ? new KeySet((int)mask) : throw new UnexpectedReplyException(Row);
    }

    /// <summary>The mask as the game sees it, and the levels of each holder.</summary>
    public static (KeySet Down, IReadOnlyList<HeldKeys> Holders) Parse(Reply reply)
    {
        var values = reply.Values;
        if (!values.TryReadInteger(out var mask))
        {
            throw new UnexpectedReplyException(Row);
        }

        var holders = new List<HeldKeys>();
        while (values.Read())
        {
            var holder = values.GetText();
            var keys = values.Read() && KeySet.TryParse(values.GetText(), out var held) ? held : throw new UnexpectedReplyException(Row);
            holders.Add(new HeldKeys(holder, keys));
        }

        return (new KeySet((int)mask), holders);
    }
}

/// <summary>What one holder keeps down.</summary>
/// <param name="Holder">Whose levels they are.</param>
/// <param name="Keys">The keys.</param>
public readonly record struct HeldKeys(string Holder, KeySet Keys);

/// <summary>What happens to a holder's levels.</summary>
public enum KeyChange
{
    /// <summary>Exactly these keys are held afterwards.</summary>
    Set,

    /// <summary>These are held as well.</summary>
    Add,

    /// <summary>These are released.</summary>
    Clear,
}

/// <summary>What a press does about presses of its keys, by the same holder, that are not over.</summary>
public enum PressWaiting
{
    /// <summary>It comes behind them.</summary>
    Queue,

    /// <summary>It shortens the one before it, and joins one that waits rather than wait for long.</summary>
    Shorten,

    /// <summary>It takes the place of those that wait, and shortens the one that has begun.</summary>
    Replace,
}

internal static class PressWaitingWriter
{
    /// <summary>Writes it as a named argument.</summary>
    public static void WriteTo(this PressWaiting waiting, ref HeadWriter head, scoped ReadOnlySpan<byte> name) => head.NamedWord(name, waiting switch
    {
        PressWaiting.Shorten => "shorten"u8,
        PressWaiting.Replace => "replace"u8,
        _ => "queue"u8,
    });
}

/// <summary>What taps and sequences have in common.</summary>
/// <param name="Down">The first frame with the first key down.</param>
/// <param name="Up">The first frame without the last.</param>
/// <param name="Lag">How many frames it had to wait for others.</param>
/// <param name="Joined">Whether it has joined another one, which was waiting.</param>
/// <param name="Unseen">The keys that were down already, so that the game saw no press of them.</param>
/// <param name="Missed">How many presses had such keys.</param>
public readonly record struct KeyPress(long Down, long Up, long Lag, bool Joined, KeySet Unseen, int Missed)
{
    /// <summary>Reads <c>down= up= lag=</c>, and what only some presses have.</summary>
    public static KeyPress Parse(ValueReader values, CommandDescriptor row)
    {
        var press = new KeyPress(-1, -1, 0, false, default, 0);
        while (values.Read())
        {
            press = values.Name switch
            {
                var name when name.SequenceEqual("down"u8) => press with { Down = values.Integer },
                var name when name.SequenceEqual("up"u8) => press with { Up = values.Integer },
                var name when name.SequenceEqual("lag"u8) => press with { Lag = values.Integer },
                var name when name.SequenceEqual("joined"u8) => press with { Joined = values.Boolean },
                var name when name.SequenceEqual("unseen"u8) => press with { Unseen = new KeySet((int)values.Integer) },
                var name when name.SequenceEqual("missed"u8) => press with { Missed = (int)values.Integer },
                _ => press,
            };
        }

        return press is { Down: >= 0, Up: >= 0 } ? press : throw new UnexpectedReplyException(row);
    }
}

public readonly partial record struct ReleaseKeys
{
    /// <summary>The number of released levels.</summary>
    public static long Parse(Reply reply) => reply.ReadInteger(Row);
}
