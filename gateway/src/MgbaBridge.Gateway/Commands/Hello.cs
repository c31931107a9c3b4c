using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>The first request on a connection.</summary>
/// <param name="Client">Free text that names this program and its version.</param>
/// <param name="Session">The session that the connection belongs to.</param>
/// <param name="Challenge">What the script has to prove that it knows the secret with, or null.</param>
/// <param name="Proof">The answer to the script's challenge, or null.</param>
public readonly record struct Hello(string Client, string Session, string? Challenge, string? Proof) : ICommand
{
    private static readonly CommandRow HelloRow = new("hello", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => HelloRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

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
