using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadDebugger
{
    /// <summary>Whether the game is halted, and the registers.</summary>
    public static DebuggerState Parse(Reply reply) => DebuggerState.Of(reply, Row);
}

public readonly partial record struct HaltGame
{
    /// <summary>The halt.</summary>
    public static DebuggerState Parse(Reply reply) => DebuggerState.Of(reply, Row);
}

public readonly partial record struct StepGame
{
    /// <summary>The halt at the end.</summary>
    public static DebuggerState Parse(Reply reply) => DebuggerState.Of(reply, Row);
}

public readonly partial record struct AddPoint
{
    /// <summary>The id.</summary>
    public static long Parse(Reply reply) => reply.ReadInteger(Row);
}

public readonly partial record struct RemovePoints
{
    /// <summary>How many were removed.</summary>
    public static long Parse(Reply reply) => reply.ReadInteger(Row);
}

public readonly partial record struct ContinueGame
{
    /// <summary>Whether it was halted.</summary>
    public static bool Parse(Reply reply)
    {
        var values = reply.Values;
        return values.Read() && values.Kind == ValueKind.Boolean ? values.Boolean : throw new UnexpectedReplyException(Row);
    }
}

public readonly partial record struct ListPoints
{
    /// <summary>The points, in the order of their ids.</summary>
    public static IReadOnlyList<DebugPoint> Parse(Reply reply)
    {
        var points = new List<DebugPoint>();
        var values = reply.Values;
        while (values.TryReadInteger(out var id))
        {
            var holder = values.Text(Row);
            var kind = values.Text(Row);
            var first = values.Number(Row);
            var last = values.Number(Row);
            long? bank = values.Read() && values.Kind == ValueKind.Integer ? values.Integer : null;
            var condition = values.Read() && values.Kind == ValueKind.Text ? values.GetText() : null;
            var halts = values.Read() && values.Boolean;
            points.Add(new DebugPoint(id, holder, kind, first, last, bank, condition, halts, values.Number(Row)));
        }

        return points;
    }
}

/// <summary>A breakpoint or a watchpoint.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Holder">Whose it is.</param>
/// <param name="Kind">What hits it.</param>
/// <param name="First">Its first address.</param>
/// <param name="Last">Its last address.</param>
/// <param name="Bank">Its bank; null for any.</param>
/// <param name="Condition">Its condition as the script has it; null for none.</param>
/// <param name="Halts">Whether it halts the game.</param>
/// <param name="Hits">How often it was hit.</param>
public sealed record DebugPoint(long Id, string Holder, string Kind, long First, long Last, long? Bank, string? Condition, bool Halts, long Hits);

/// <summary>What hit a point.</summary>
/// <param name="Point">The id of the point.</param>
/// <param name="Kind">What it was.</param>
/// <param name="Pc">The instruction.</param>
/// <param name="Bank">The bank of the instruction.</param>
/// <param name="Access">The access; null where it was none.</param>
public sealed record DebugHit(long Point, string Kind, long Pc, long Bank, DebugAccess? Access);

/// <summary>A read or a write.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Size">Its bytes.</param>
/// <param name="Before">The value before.</param>
/// <param name="Value">The value that was read or written.</param>
/// <param name="After">The value after.</param>
/// <param name="ByDma">Whether DMA did it, and not the instruction.</param>
public sealed record DebugAccess(long Address, long Size, long Before, long Value, long After, bool ByDma);

/// <summary>Why a game is halted.</summary>
/// <param name="Number">The number of the halt.</param>
/// <param name="Reason"><c>requested</c>, <c>step</c>, <c>point</c>, <c>moved</c> or <c>history</c>.</param>
/// <param name="Pc">The instruction that is executed next.</param>
/// <param name="Bank">Its bank.</param>
/// <param name="Hit">What hit a point; null for other reasons.</param>
/// <param name="Past">The frame that the game is in, in its past; null in the present.</param>
/// <param name="IsSearching">Whether it goes back or repeats its past.</param>
public sealed record DebugHalt(long Number, string Reason, long Pc, long Bank, DebugHit? Hit, long? Past, bool IsSearching);

/// <summary>Whether a game is halted, and the registers of the processor.</summary>
/// <param name="Halt">Why; null when it is not halted.</param>
/// <param name="Registers">Values by name, unsigned.</param>
public sealed record DebuggerState(DebugHalt? Halt, IReadOnlyDictionary<string, long> Registers)
{
    /// <summary>Reads the values of a reply.</summary>
    internal static DebuggerState Of(Reply reply, CommandDescriptor row)
    {
        var numbers = new Dictionary<string, long>();
        var (reason, kind, registers) = ((string?)null, (string?)null, (IReadOnlyDictionary<string, long>?)null);
        var (byDma, isSearching) = (false, false);
        var values = reply.Values;
        while (values.Read())
        {
            switch (Encoding.ASCII.GetString(values.Name))
            {
                case "reason":
                    reason = values.GetText();
                    break;
                case "kind":
                    kind = values.GetText();
                    break;
                case "dma":
                    byDma = values.Boolean;
                    break;
                case "searching":
                    isSearching = values.Boolean;
                    break;
                case "registers":
                    registers = RegistersOf(Encoding.UTF8.GetBytes(values.GetText()));
                    break;
                case var name:
                    numbers[name] = values.Integer;
                    break;
            }
        }

        long Number(string name) => numbers.TryGetValue(name, out var value) ? value : throw new UnexpectedReplyException(row);
        var access = numbers.ContainsKey("address")
            ? new DebugAccess(Number("address"), Number("size"), Number("before"), Number("value"), Number("after"), byDma)
            : null;
        var hit = kind is null ? null : new DebugHit(Number("point"), kind, Number("at"), Number("atbank"), access);
        return new DebuggerState(
            reason is null ? null : new DebugHalt(Number("halt"), reason, Number("pc"), Number("bank"), hit, numbers.TryGetValue("past", out var past) ? past : null, isSearching), registers ?? throw new UnexpectedReplyException(row));
    }

    private static Dictionary<string, long> RegistersOf(ReadOnlySpan<byte> text)
    {
        var registers = new Dictionary<string, long>();
        var values = new ValueReader(text);
        while (values.Read())
        {
            registers[Encoding.ASCII.GetString(values.Name)] = values.Integer;
        }

        return registers;
    }
}
