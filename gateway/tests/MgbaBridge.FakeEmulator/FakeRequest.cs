using System.Globalization;

namespace MgbaBridge.FakeEmulator;

/// <summary>A request as the fake read it.</summary>
/// <param name="Connection">Which connection brought it, from 1.</param>
/// <param name="Session">The session of that connection, or null before hello.</param>
/// <param name="Id">Its id.</param>
/// <param name="Options">The options before the command, such as <c>ack</c>.</param>
/// <param name="Command">The command's name.</param>
/// <param name="Arguments">The rest of the head, unparsed.</param>
/// <param name="Tail">The raw bytes; null for none.</param>
public sealed record FakeRequest(
    int Connection, string? Session, long Id, IReadOnlyDictionary<string, string> Options, string Command, string Arguments, byte[]? Tail)
{
    /// <summary>Reads a head of the form <c>#id[+n] {name=value} command arguments</c>.</summary>
    public static FakeRequest Parse(int connection, string? session, string head, byte[]? tail)
    {
        var parts = head.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var id = long.Parse(parts[0][1..].Split('+')[0], CultureInfo.InvariantCulture);
        var options = parts.Skip(1).TakeWhile(part => part.Contains('=', StringComparison.Ordinal)).ToArray();
        var rest = parts.Skip(1 + options.Length).ToArray();
        return new FakeRequest(
            connection,
            session,
            id,
            options.Select(option => option.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[1]),
            rest.FirstOrDefault("")!,
            string.Join(' ', rest.Skip(1)),
            tail);
    }

    /// <summary>A named argument without its quotes, or null.</summary>
    public string? Named(string name)
    {
        var start = Arguments.IndexOf(name + "=", StringComparison.Ordinal);
        if (start < 0)
        {
            return null;
        }

        var value = Arguments[(start + name.Length + 1)..];
        return value.StartsWith('"') ? value[1..value.IndexOf('"', 1)] : value.Split(' ')[0];
    }

    /// <summary>How many bytes the tail of a head has; null for none.</summary>
    public static int? TailLength(string head)
    {
        var first = head.Split(' ')[0].Split('+');
        return first.Length == 2 ? int.Parse(first[1], CultureInfo.InvariantCulture) : null;
    }

    /// <summary>A number among the arguments.</summary>
    public long Number(int index)
    {
        var text = Arguments.Split(' ')[index];
        return text.StartsWith("0x", StringComparison.Ordinal)
            ? long.Parse(text[2..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)
            : long.Parse(text, CultureInfo.InvariantCulture);
    }
}
