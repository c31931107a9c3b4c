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

/// <summary>What taps and sequences have in common.</summary>
/// <param name="Down">The first frame with the first key down.</param>
/// <param name="Up">The first frame without the last.</param>
public readonly record struct KeyPress(long Down, long Up)
{
    /// <summary>Reads <c>down= up=</c>.</summary>
    public static KeyPress Parse(ValueReader values, CommandDescriptor row)
    {
        long down = 0;
        return values.ReadTo("down"u8) && (down = values.Integer) >= 0 && values.ReadTo("up"u8)
            ? new KeyPress(down, values.Integer)
            : throw new UnexpectedReplyException(row);
    }
}

public readonly partial record struct ReleaseKeys
{
    /// <summary>The number of released levels.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var count) ? count : throw new UnexpectedReplyException(Row);
    }
}
