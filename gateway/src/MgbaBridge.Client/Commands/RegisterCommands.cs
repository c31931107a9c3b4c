using System.Text;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadRegister
{
    /// <summary>The value, unsigned.</summary>
    public static long Parse(Reply reply) => reply.ReadInteger(Row);
}

public readonly partial record struct ListRegisters
{
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
