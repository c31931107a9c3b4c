using System.Buffers;
using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

/// <summary>
/// A request as a value. Implemented by small readonly structs and used through generic constraints only, so that no command is ever
/// boxed; members with a default are static for the same reason.
/// </summary>
/// <typeparam name="TSelf">The command itself.</typeparam>
public interface ICommand<TSelf>
    where TSelf : struct, ICommand<TSelf>
{
    /// <summary>What is always the same about it.</summary>
    CommandDescriptor Descriptor { get; }

    /// <summary>Writes the arguments, in the order of the table.</summary>
    void WriteArguments(ref HeadWriter head);

    /// <summary>Bulk when request or reply is larger than <see cref="Transfer.SlowFrom"/>, long-running when it takes frames.</summary>
    static virtual RequestClass ClassOf(in TSelf command) => RequestClass.Interactive;

    /// <summary>Raw bytes after the head, or null for none. They must stay unchanged until the reply is there.</summary>
    static virtual ReadOnlySequence<byte>? TailOf(in TSelf command) => null;

    /// <summary>Why it is refused without being sent: what is wrong with a file that only the gateway opens; null for nothing.</summary>
    static virtual CommandFailure? FailureOf(in TSelf command) => null;
}

/// <summary>Whether a command may run a second time.</summary>
public enum CommandKind
{
    /// <summary>Runs again without harm.</summary>
    Read,

    /// <summary>Changes something: it must run exactly once, or the failure must state that this is unknown.</summary>
    Effect,
}

/// <summary>What is always the same about a command: its row in docs/protocol.md, section 7.</summary>
/// <param name="name">The name on the wire, also the value of the metrics' <c>mgba.command</c> tag.</param>
/// <param name="kind">Whether it may run twice.</param>
/// <param name="lasts">Whether it takes frames.</param>
/// <param name="alone">Whether it cannot be an item of a batch.</param>
public sealed class CommandDescriptor(string name, CommandKind kind, bool lasts = false, bool alone = false)
{
    private readonly byte[] _utf8 = Encoding.ASCII.GetBytes(name);

    /// <summary>The name on the wire.</summary>
    public string Name { get; } = name;

    /// <summary>Whether it may run twice.</summary>
    public CommandKind Kind { get; } = kind;

    /// <summary>Whether it takes frames: then it is cancelled in the script when its caller leaves, even if it only reads.</summary>
    public bool Lasts { get; } = lasts;

    /// <summary>Whether it cannot be an item of a batch.</summary>
    public bool IsAlone { get; } = alone;

    /// <summary>The name as bytes.</summary>
    public ReadOnlySpan<byte> Utf8Name => _utf8;
}

/// <summary>Which connections carry a command, so that what takes long never delays a small read.</summary>
public enum RequestClass
{
    /// <summary>Small requests with small replies, which the script answers at once.</summary>
    Interactive,

    /// <summary>Large tails in either direction, and requests that take frames.</summary>
    Slow,
}

/// <summary>Where small ends and large begins.</summary>
public static class Transfer
{
    /// <summary>Tails of this many bytes and more are of the request class <see cref="RequestClass.Slow"/>.</summary>
    public const int SlowFrom = Limits.Write;

    /// <summary>The request class of a transfer of this size.</summary>
    public static RequestClass ClassFor(long bytes) => bytes >= SlowFrom ? RequestClass.Slow : RequestClass.Interactive;
}

/// <summary>What a caller may say about one request besides the command. The default is right for almost all.</summary>
public readonly record struct RequestOptions
{
    /// <summary>Whose levels, leases and watches it concerns; null for the gateway's own session.</summary>
    public Holder? Holder { get; init; }

    /// <summary>With whose end that ends which an effect holds, such as one connection of the holder; null for the gateway's own session.</summary>
    public Holder? Owner { get; init; }

    /// <summary>Whose token the request came with: callers with another one do not have the lease by naming its holder. Null for the gateway's own requests.</summary>
    internal string? Credential { get; init; }

    /// <summary>How long to wait for the reply; null for the setting <c>RequestTimeout</c>. Longer where frames are slow (<see cref="Emulator.EmulatorClient.AtPace"/>).</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Whether the caller chose <see cref="Timeout"/>: it applies at every pace.</summary>
    public bool IsTimeoutChosen { get; init; }

    /// <summary>A wait of the gateway's own for frames, which nobody requested: it has no span, so that traffic and traces leave it out.</summary>
    public bool IsOwnWait { get; init; }

    /// <summary>Stays sent while the script is silent, until its reply comes or its time is up.</summary>
    public bool OutlastsSilence { get; init; }

    /// <summary>Run only while this is the epoch, else it is refused <c>epoch-changed</c>; null for no condition.</summary>
    public Epoch? Epoch { get; init; }
}

/// <summary>A command that names a file where the emulator runs.</summary>
public interface IFileCommand
{
    /// <summary>The file: a path below one of the script's folders, or relative to the first of them.</summary>
    string Path { get; }
}
