using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct ListCommands
{
    /// <summary>Each command as <c>name kind arguments</c>.</summary>
    public static IReadOnlyList<string> Parse(Reply reply)
    {
        var commands = new List<string>();
        var values = reply.Values;
        while (values.Read())
        {
            commands.Add(values.GetText());
        }

        return commands;
    }
}

public readonly partial record struct ReadScriptStatus
{
    /// <summary>How often a state was loaded or the game was reset.</summary>
    public static long ParseLoads(Reply reply)
    {
        var values = reply.Values;
        return values.ReadTo("loads"u8) ? values.Integer : 0;
    }

    /// <summary>Whether frames run: <c>running</c>, <c>paused</c>, <c>stopped</c>, <c>crashed</c> or <c>none</c>.</summary>
    public static string ParseMachine(Reply reply)
    {
        var values = reply.Values;
        return values.ReadTo("machine"u8) ? values.GetText() : throw new UnexpectedReplyException(Row);
    }

    /// <summary>The holder of the lease, or null.</summary>
    public static string? ParseLease(Reply reply)
    {
        var values = reply.Values;
        return !values.ReadTo("lease"u8) ? throw new UnexpectedReplyException(Row)
            : values.Kind == ValueKind.Nothing ? null : values.GetText();
    }
}

public readonly partial record struct ReleaseOwner
{
    /// <summary>How many levels, freezes and leases it has ended.</summary>
    public static long Parse(Reply reply) => reply.ReadInteger(Row);
}
