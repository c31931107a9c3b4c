using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Writes a line into mGBA's Scripting window.</summary>
/// <param name="Level">How it is shown.</param>
/// <param name="Text">The line.</param>
public readonly record struct WriteConsole(ConsoleLevel Level, string Text) : ICommand
{
    private static readonly CommandRow LogRow = new("console.log", CommandKind.Effect);
    private static readonly CommandRow WarnRow = new("console.warn", CommandKind.Effect);
    private static readonly CommandRow ErrorRow = new("console.error", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => Level switch { ConsoleLevel.Log => LogRow, ConsoleLevel.Warn => WarnRow, _ => ErrorRow };

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Text(Encoding.UTF8.GetBytes(Text));
}
