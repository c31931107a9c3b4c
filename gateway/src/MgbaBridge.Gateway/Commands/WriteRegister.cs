using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Writes a register of the processor.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">Up to 32 bits.</param>
public readonly record struct WriteRegister(string Name, long Value) : ICommand
{
    private static readonly CommandRow WriteRow = new("register.write", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => WriteRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Name));
        head.Integer(Value);
    }
}
