using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>The first request on a connection.</summary>
/// <param name="Client">Free text that names this program and its version.</param>
/// <param name="Session">The session that the connection belongs to.</param>
/// <param name="Challenge">The challenge for the script's proof of the secret, or null.</param>
/// <param name="Proof">The answer to the script's challenge, or null.</param>
public readonly record struct Hello(string Client, string Session, string? Challenge, string? Proof) : ICommand<Hello>
{
    private static readonly CommandDescriptor HelloDescriptor = new("hello", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => HelloDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Integer(Wire.Version);
        head.Named("client"u8, Encoding.UTF8.GetBytes(Client));
        head.Named("session"u8, Encoding.UTF8.GetBytes(Session));
        if (Challenge is not null)
        {
            head.Named("challenge"u8, Encoding.UTF8.GetBytes(Challenge));
        }

        if (Proof is not null)
        {
            head.Named("proof"u8, Encoding.UTF8.GetBytes(Proof));
        }
    }
}

/// <summary>Requests a heartbeat. It does not make the script wait for more requests.</summary>
public readonly record struct Ping : ICommand<Ping>
{
    private static readonly CommandDescriptor PingDescriptor = new("ping", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => PingDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}

/// <summary>Returns bytes unchanged. They are sent as a tail, so any byte is allowed.</summary>
/// <param name="Message">Any bytes.</param>
public readonly record struct Echo(ReadOnlySequence<byte> Message) : ICommand<Echo>
{
    private static readonly CommandDescriptor EchoDescriptor = new("echo", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => EchoDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in Echo command) => Transfer.ClassFor(command.Message.Length);

    /// <inheritdoc/>
    public static ReadOnlySequence<byte>? TailOf(in Echo command) => command.Message;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}

/// <summary>Cancels a request of this session.</summary>
/// <param name="Id">The request's id.</param>
public readonly record struct Cancel(long Id) : ICommand<Cancel>
{
    private static readonly CommandDescriptor CancelDescriptor = new("cancel", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => CancelDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Integer(Id);
}

/// <summary>Lists the commands that the script supports.</summary>
public readonly record struct ListCommands() : ICommand<ListCommands>
{
    private static readonly CommandDescriptor ListDescriptor = new("commands", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ListDescriptor;

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

/// <summary>Returns who has the lockstep lease.</summary>
public readonly record struct ReadScriptStatus() : ICommand<ReadScriptStatus>
{
    private static readonly CommandDescriptor StatusDescriptor = new("status", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => StatusDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The holder of the lease, or null.</summary>
    public static string? ParseLease(Reply reply)
    {
        var values = reply.Values;
        return !values.ReadTo("lease"u8) ? throw new UnexpectedReplyException(StatusDescriptor)
            : values.Kind == ValueKind.Nothing ? null : values.GetText();
    }
}
