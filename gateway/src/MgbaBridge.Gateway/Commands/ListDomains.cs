using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks which memory domains the game has.</summary>
public readonly record struct ListDomains() : ICommand
{
    private static readonly CommandRow DomainsRow = new("memory.domains", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => DomainsRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The domains, in mGBA's own order.</summary>
    public static IReadOnlyList<MemoryDomain> Parse(Reply reply)
    {
        var domains = new List<MemoryDomain>();
        var values = reply.Values;
        while (values.Read())
        {
            var id = values.GetText();
            var name = values.Read() ? values.GetText() : "";
            if (!values.TryReadInteger(out var first) || !values.TryReadInteger(out var bound) || !values.TryReadInteger(out var size))
            {
                throw new UnexpectedReplyException(DomainsRow);
            }

            domains.Add(new MemoryDomain(id, name, first, bound, size));
        }

        return domains;
    }
}
