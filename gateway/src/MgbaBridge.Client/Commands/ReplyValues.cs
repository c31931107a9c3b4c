using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

/// <summary>Reads the values of a reply, of which each has to be there.</summary>
internal static class ReplyValues
{
    /// <summary>The next value, a number.</summary>
    public static long Number(this ref ValueReader values, CommandDescriptor row) => values.TryReadInteger(out var number) ? number : throw new UnexpectedReplyException(row);

    /// <summary>The next value, a number or nothing.</summary>
    public static long? Optional(this ref ValueReader values, CommandDescriptor row) =>
        !values.Read() ? throw new UnexpectedReplyException(row) : values.Kind == ValueKind.Nothing ? null : values.Integer;

    /// <summary>The next value, a text.</summary>
    public static string Text(this ref ValueReader values, CommandDescriptor row) => values.Read() ? values.GetText() : throw new UnexpectedReplyException(row);
}
