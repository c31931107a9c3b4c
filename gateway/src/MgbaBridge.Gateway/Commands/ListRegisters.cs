using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Reads all registers of the processor, in one frame.</summary>
public readonly record struct ListRegisters() : ICommand
{
    private static readonly CommandRow RegistersRow = new("registers", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => RegistersRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The values by name, unsigned, in the script's order.</summary>
    public static Dictionary<string, long> Parse(Reply reply)
    {
        var registers = new Dictionary<string, long>();
        var values = reply.Values;
        while (values.Read())
        {
            registers[Encoding.ASCII.GetString(values.Name)] = values.Integer;
        }

        return registers;
    }
}
