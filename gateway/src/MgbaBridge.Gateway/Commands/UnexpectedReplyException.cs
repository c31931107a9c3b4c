namespace MgbaBridge.Gateway.Commands;

/// <summary>The script answered <c>ok</c> with values that the command does not have: one of the two sides is wrong about the protocol.</summary>
public sealed class UnexpectedReplyException(CommandRow row)
    : Exception($"The script's reply to {row.Name} does not have the form that docs/protocol.md gives it. Update the older of gateway and script.")
{
    /// <summary>The command that was answered.</summary>
    public CommandRow Row { get; } = row;
}
