using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>What taps and sequences have in common.</summary>
/// <param name="Down">The first frame with the first key down.</param>
/// <param name="Up">The first frame without the last.</param>
public readonly record struct KeyPress(long Down, long Up)
{
    /// <summary>Reads <c>down= up=</c>.</summary>
    public static KeyPress Parse(ValueReader values, CommandRow row)
    {
        long down = 0;
        return values.ReadTo("down"u8) && (down = values.Integer) >= 0 && values.ReadTo("up"u8)
            ? new KeyPress(down, values.Integer)
            : throw new UnexpectedReplyException(row);
    }

    /// <summary>Writes what is not as usual.</summary>
    internal static void WriteTo(ref HeadWriter head, long? frames, long? gap, bool wait)
    {
        if (frames is { } down)
        {
            head.Named("frames"u8, down);
        }

        if (gap is { } up)
        {
            head.Named("gap"u8, up);
        }

        if (wait)
        {
            head.Named("wait"u8, true);
        }
    }
}
