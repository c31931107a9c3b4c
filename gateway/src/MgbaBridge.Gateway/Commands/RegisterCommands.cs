using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Reads a register of the processor.</summary>
/// <param name="Name">Its name, such as <c>r0</c> or <c>pc</c>.</param>
public readonly record struct ReadRegister(string Name) : ICommand<ReadRegister>
{
    private static readonly CommandDescriptor ReadDescriptor = new("register.read", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ReadDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Text(Encoding.UTF8.GetBytes(Name));

    /// <summary>The value, unsigned.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(ReadDescriptor);
    }
}

/// <summary>Writes a register of the processor.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">Up to 32 bits.</param>
public readonly record struct WriteRegister(string Name, long Value) : ICommand<WriteRegister>
{
    private static readonly CommandDescriptor WriteDescriptor = new("register.write", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => WriteDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Name));
        head.Integer(Value);
    }
}

/// <summary>Reads all registers of the processor, in one frame.</summary>
public readonly record struct ListRegisters() : ICommand<ListRegisters>
{
    private static readonly CommandDescriptor RegistersDescriptor = new("registers", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => RegistersDescriptor;

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
