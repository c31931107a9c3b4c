using System.Text;

namespace MgbaBridge.Gateway.Commands;

/// <summary>What is always the same about a command: its row in docs/protocol.md, section 7.</summary>
/// <param name="name">The name on the wire, also the value of the metrics' <c>mgba.command</c> tag.</param>
/// <param name="kind">Whether it may run twice.</param>
/// <param name="lasts">Whether it takes frames.</param>
public sealed class CommandRow(string name, CommandKind kind, bool lasts = false)
{
    private readonly byte[] _utf8 = Encoding.ASCII.GetBytes(name);

    /// <summary>The name on the wire.</summary>
    public string Name { get; } = name;

    /// <summary>Whether it may run twice.</summary>
    public CommandKind Kind { get; } = kind;

    /// <summary>Whether it takes frames: then the script is told when its caller leaves, even if it only reads.</summary>
    public bool Lasts { get; } = lasts;

    /// <summary>The name as bytes.</summary>
    public ReadOnlySpan<byte> Utf8Name => _utf8;
}
