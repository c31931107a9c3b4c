using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Which keys are down, and who holds what.</summary>
public readonly record struct ReadKeys() : ICommand
{
    private static readonly CommandRow ReadKeysRow = new("keys", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => ReadKeysRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>Only the mask as the game sees it.</summary>
    public static KeySet ParseDown(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var mask) ? new KeySet((int)mask) : throw new UnexpectedReplyException(ReadKeysRow);
    }

    /// <summary>The mask as the game sees it, and the levels of each holder.</summary>
    public static (KeySet Down, IReadOnlyList<HeldKeys> Holders) Parse(Reply reply)
    {
        var values = reply.Values;
        if (!values.TryReadInteger(out var mask))
        {
            throw new UnexpectedReplyException(ReadKeysRow);
        }

        var holders = new List<HeldKeys>();
        while (values.Read())
        {
            var holder = values.GetText();
            var keys = values.Read() && KeySet.TryParse(values.GetText(), out var held) ? held : throw new UnexpectedReplyException(ReadKeysRow);
            holders.Add(new HeldKeys(holder, keys));
        }

        return (new KeySet((int)mask), holders);
    }
}
