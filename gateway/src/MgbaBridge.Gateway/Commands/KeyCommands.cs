using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Which keys are down, and who holds what.</summary>
public readonly record struct ReadKeys() : ICommand<ReadKeys>
{
    private static readonly CommandDescriptor ReadKeysDescriptor = new("keys", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ReadKeysDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>Only the mask as the game sees it.</summary>
    public static KeySet ParseDown(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var mask) ? new KeySet((int)mask) : throw new UnexpectedReplyException(ReadKeysDescriptor);
    }

    /// <summary>The mask as the game sees it, and the levels of each holder.</summary>
    public static (KeySet Down, IReadOnlyList<HeldKeys> Holders) Parse(Reply reply)
    {
        var values = reply.Values;
        if (!values.TryReadInteger(out var mask))
        {
            throw new UnexpectedReplyException(ReadKeysDescriptor);
        }

        var holders = new List<HeldKeys>();
        while (values.Read())
        {
            var holder = values.GetText();
            var keys = values.Read() && KeySet.TryParse(values.GetText(), out var held) ? held : throw new UnexpectedReplyException(ReadKeysDescriptor);
            holders.Add(new HeldKeys(holder, keys));
        }

        return (new KeySet((int)mask), holders);
    }
}

/// <summary>What one holder keeps down.</summary>
/// <param name="Holder">Whose levels they are.</param>
/// <param name="Keys">The keys.</param>
public readonly record struct HeldKeys(string Holder, KeySet Keys);

/// <summary>Changes which keys a holder keeps down.</summary>
/// <param name="Change">What happens to them.</param>
/// <param name="Keys">The keys.</param>
/// <param name="Wait">Whether the reply comes when the keys that are down show it: a key that is pressed and released in one frame is down for that frame.</param>
public readonly record struct ChangeKeys(KeyChange Change, KeySet Keys, bool Wait = false) : ICommand<ChangeKeys>
{
    private static readonly CommandDescriptor SetDescriptor = new("keys.set", CommandKind.Effect);
    private static readonly CommandDescriptor AddDescriptor = new("keys.add", CommandKind.Effect);
    private static readonly CommandDescriptor ClearDescriptor = new("keys.clear", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Change switch { KeyChange.Set => SetDescriptor, KeyChange.Add => AddDescriptor, _ => ClearDescriptor };

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Integer(Keys.Mask);
        if (Wait)
        {
            head.Named("wait"u8, true);
        }
    }
}

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

/// <summary>Presses keys together, behind the taps that wait for any of them.</summary>
/// <param name="Keys">The keys, at least one.</param>
/// <param name="Frames">Frames down, 1..36000; null for 4.</param>
/// <param name="Gap">Frames up before the next press of the same key, 1..36000; null for 2.</param>
/// <param name="Wait">Whether the reply comes when they are up again.</param>
public readonly record struct TapKeys(KeySet Keys, long? Frames, long? Gap, bool Wait) : ICommand<TapKeys>
{
    private static readonly CommandDescriptor TapDescriptor = new("key.tap", CommandKind.Effect);
    private static readonly CommandDescriptor AwaitedDescriptor = new("key.tap", CommandKind.Effect, lasts: true);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Wait ? AwaitedDescriptor : TapDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in TapKeys command) => command.Wait ? RequestClass.LongRunning : RequestClass.Interactive;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        Keys.WriteTo(ref head);
        KeyPress.WriteTo(ref head, Frames, Gap, Wait);
    }
}

/// <summary>Presses one after the other, all or none.</summary>
/// <param name="Steps">The presses.</param>
/// <param name="Gap">Frames up between presses of the same key, 1..36000; null for 2.</param>
/// <param name="Wait">Whether the reply comes when all is done.</param>
public readonly record struct PlaySequence(KeySequence Steps, long? Gap, bool Wait) : ICommand<PlaySequence>
{
    private static readonly CommandDescriptor SequenceDescriptor = new("key.sequence", CommandKind.Effect);
    private static readonly CommandDescriptor AwaitedDescriptor = new("key.sequence", CommandKind.Effect, lasts: true);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Wait ? AwaitedDescriptor : SequenceDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in PlaySequence command) => command.Wait ? RequestClass.LongRunning : RequestClass.Interactive;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.ASCII.GetBytes(Steps.ToString()));
        KeyPress.WriteTo(ref head, null, Gap, Wait);
    }
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

/// <summary>Releases all levels and queued taps of the holder.</summary>
public readonly record struct ReleaseKeys() : ICommand<ReleaseKeys>
{
    private static readonly CommandDescriptor ReleaseKeysDescriptor = new("release", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ReleaseKeysDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The number of released levels.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var count) ? count : throw new UnexpectedReplyException(ReleaseKeysDescriptor);
    }
}
