using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>
/// A request as a value. Implemented by small readonly structs and used through generic constraints only, so that no command is ever
/// boxed; for the same reason there are no default implementations.
/// </summary>
public interface ICommand
{
    /// <summary>Its row in the vocabulary.</summary>
    CommandRow Row { get; }

    /// <summary>Bulk when request or reply is larger than <see cref="Transfer.BulkFrom"/>.</summary>
    Lane Lane { get; }

    /// <summary>Raw bytes after the head, or null for none. They must stay unchanged until the reply is there.</summary>
    ReadOnlySequence<byte>? Tail { get; }

    /// <summary>Writes the arguments, in the order of the table.</summary>
    void WriteArguments(ref HeadWriter head);
}
