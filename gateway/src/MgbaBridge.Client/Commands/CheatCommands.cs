using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct EnableCheat
{
    /// <summary>Whether there is such a cheat.</summary>
    public static bool Parse(Reply reply) => Found.Read(reply, Row);
}

public readonly partial record struct DeleteCheat
{
    /// <summary>Whether there was such a cheat.</summary>
    public static bool Parse(Reply reply) => Found.Read(reply, Row);
}

public readonly partial record struct ListCheats
{
    /// <summary>The cheats, in the order in which they are applied; then those of the file that cannot be used.</summary>
    public static IReadOnlyList<Cheat> Parse(Reply reply)
    {
        var cheats = new List<Cheat>();
        var values = reply.Values;
        var codes = reply.Tail;
        while (values.Read())
        {
            var name = values.GetText();
            if (!values.Read() || values.Kind != ValueKind.Boolean)
            {
                throw new UnexpectedReplyException(Row);
            }

            var enabled = values.Boolean;
            if (!values.TryReadInteger(out var length) || length < 0 || length > codes.Length || !values.Read())
            {
                throw new UnexpectedReplyException(Row);
            }

            cheats.Add(new Cheat(
                name, enabled, Encoding.UTF8.GetString(codes[..(int)length].Span).Split('\n', StringSplitOptions.RemoveEmptyEntries), values.Kind == ValueKind.Text ? values.GetText() : null));
            codes = codes[(int)length..];
        }

        return cheats;
    }
}

/// <summary>A cheat of the game.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Enabled">Whether it is applied.</param>
/// <param name="Codes">Its codes.</param>
/// <param name="Problem">Why it cannot be used; null when it can.</param>
public sealed record Cheat(string Name, bool Enabled, IReadOnlyList<string> Codes, string? Problem);

/// <summary>A reply that says whether there was what a request named.</summary>
file static class Found
{
    public static bool Read(Reply reply, CommandDescriptor row)
    {
        var values = reply.Values;
        return values.Read() && values.Kind == ValueKind.Boolean ? values.Boolean : throw new UnexpectedReplyException(row);
    }
}
