using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Reads a register of the processor.</summary>
/// <param name="Name">Its name, such as <c>r0</c> or <c>pc</c>.</param>
public readonly record struct ReadRegister(string Name) : ICommand
{
    private static readonly CommandRow ReadRow = new("register.read", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => ReadRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Text(Encoding.UTF8.GetBytes(Name));

    /// <summary>The value, unsigned.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(ReadRow);
    }
}
