using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Changes which keys a holder keeps down.</summary>
/// <param name="Change">What happens to them.</param>
/// <param name="Keys">The keys.</param>
/// <param name="Wait">Whether the reply comes when the keys that are down show it: what is pressed and let go in one frame is down for that frame.</param>
public readonly record struct ChangeKeys(KeyChange Change, KeySet Keys, bool Wait = false) : ICommand
{
    private static readonly CommandRow SetRow = new("keys.set", CommandKind.Effect);
    private static readonly CommandRow AddRow = new("keys.add", CommandKind.Effect);
    private static readonly CommandRow ClearRow = new("keys.clear", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => Change switch { KeyChange.Set => SetRow, KeyChange.Add => AddRow, _ => ClearRow };

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

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
