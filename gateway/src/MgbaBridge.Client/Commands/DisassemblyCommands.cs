using System.Text;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct Disassemble
{
    /// <summary>The instructions.</summary>
    public static IReadOnlyList<Instruction> Parse(Reply reply)
    {
        var instructions = new List<Instruction>();
        var values = reply.Values;
        while (values.Read())
        {
            var bank = values.Integer;
            var address = values.Number(Row);
            var bytes = values.Text(Row);
            var kind = values.Text(Row);
            var targetBank = values.Optional(Row);
            var target = values.Optional(Row);
            var value = values.Optional(Row);
            instructions.Add(new Instruction(bank, address, bytes, kind, targetBank, target, value, values.Text(Row)));
        }

        return instructions;
    }
}

/// <summary>An instruction.</summary>
/// <param name="Bank">The bank of its address, of a Game Boy; otherwise 0.</param>
/// <param name="Address">Where it is.</param>
/// <param name="Bytes">Its bytes, in hexadecimal.</param>
/// <param name="Kind"><c>branch</c>, <c>call</c>, <c>return</c>, <c>interrupt</c>, <c>data</c>, <c>undefined</c> or <c>other</c>.</param>
/// <param name="TargetBank">The bank of its target.</param>
/// <param name="Target">Where it leads to, or what it reads, writes or takes the address of.</param>
/// <param name="Value">The word that it loads from its target.</param>
/// <param name="Text">What it is in assembly language.</param>
public readonly record struct Instruction(long Bank, long Address, string Bytes, string Kind, long? TargetBank, long? Target, long? Value, string Text);

public readonly partial record struct ReadBanks
{
    /// <summary>The banks, by <c>rom</c>, <c>vram</c>, <c>sram</c> and <c>wram</c>.</summary>
    public static IReadOnlyDictionary<string, long> Parse(Reply reply)
    {
        var banks = new Dictionary<string, long>();
        var values = reply.Values;
        while (values.Read())
        {
            banks[Encoding.ASCII.GetString(values.Name)] = values.Integer;
        }

        return banks;
    }
}
