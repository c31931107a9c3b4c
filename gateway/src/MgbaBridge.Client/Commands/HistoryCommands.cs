using System.Text;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadHistory
{
    /// <summary>What is kept.</summary>
    public static GameHistory Parse(Reply reply) => GameHistory.Of(reply, Row);
}

public readonly partial record struct KeepHistory
{
    /// <summary>What is kept.</summary>
    public static GameHistory Parse(Reply reply) => GameHistory.Of(reply, Row);
}

/// <summary>What is kept of the history of a game.</summary>
/// <param name="Megabytes">How much memory it may take; 0: none is kept.</param>
/// <param name="Bytes">How much it takes.</param>
/// <param name="First">The frame in which it begins.</param>
/// <param name="Now">The present frame.</param>
/// <param name="At">The frame that the game is in.</param>
/// <param name="InPast">Whether the game is in its past.</param>
/// <param name="Problem">Why there is none; null without a reason.</param>
public readonly record struct GameHistory(long Megabytes, long Bytes, long First, long Now, long At, bool InPast, string? Problem)
{
    /// <summary>Reads the values of a reply.</summary>
    internal static GameHistory Of(Reply reply, CommandDescriptor row)
    {
        var numbers = new Dictionary<string, long>();
        var (past, problem) = (false, "");
        var values = reply.Values;
        while (values.Read())
        {
            switch (Encoding.ASCII.GetString(values.Name))
            {
                case "past":
                    past = values.Boolean;
                    break;
                case "problem":
                    problem = values.GetText();
                    break;
                case var name:
                    numbers[name] = values.Integer;
                    break;
            }
        }

        long Number(string name) => numbers.TryGetValue(name, out var value) ? value : throw new UnexpectedReplyException(row);
        return new GameHistory(Number("megabytes"), Number("bytes"), Number("first"), Number("now"), Number("frame"), past, problem.Length > 0 ? problem : null);
    }
}

public readonly partial record struct GoBack
{
    /// <summary>The halt there.</summary>
    public static DebuggerState Parse(Reply reply) => DebuggerState.Of(reply, Row);
}

public readonly partial record struct FindWriters
{
    /// <summary>The writes, the last one first.</summary>
    public static IReadOnlyList<MemoryWriter> Parse(Reply reply)
    {
        var writers = new List<MemoryWriter>();
        var values = reply.Values;
        while (values.Read())
        {
            writers.Add(new MemoryWriter(values.GetText(), values.Number(Row), values.Number(Row), values.Number(Row), values.Number(Row), values.Number(Row), values.Number(Row), values.Number(Row)));
        }

        return writers;
    }
}

/// <summary>A write of another value.</summary>
/// <param name="By"><c>game</c>, <c>dma</c> or <c>outside</c>.</param>
/// <param name="Frame">The frame in which it was.</param>
/// <param name="Pc">The instruction; 0 of others than the game.</param>
/// <param name="Bank">Its bank.</param>
/// <param name="Address">Where it was.</param>
/// <param name="Size">Its bytes.</param>
/// <param name="Before">The value before.</param>
/// <param name="Value">The value that was there then.</param>
public readonly record struct MemoryWriter(string By, long Frame, long Pc, long Bank, long Address, long Size, long Before, long Value);
