using System.Text;
using MgbaBridge.Client.Protocol;

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
            var address = Number(ref values);
            var bytes = Text(ref values);
            var kind = Text(ref values);
            var targetBank = Optional(ref values);
            var target = Optional(ref values);
            var value = Optional(ref values);
            instructions.Add(new Instruction(bank, address, bytes, kind, targetBank, target, value, Text(ref values)));
        }

        return instructions;
    }

    private static long Number(ref ValueReader values) => values.TryReadInteger(out var number) ? number : throw new UnexpectedReplyException(Row);

    private static long? Optional(ref ValueReader values) => !values.Read() ? throw new UnexpectedReplyException(Row) : values.Kind == ValueKind.Nothing ? null : values.Integer;

    private static string Text(ref ValueReader values) => values.Read() ? values.GetText() : throw new UnexpectedReplyException(Row);
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
