using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks what the script understands.</summary>
public readonly record struct ListCommands() : ICommand
{
    private static readonly CommandRow ListRow = new("commands", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => ListRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

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
