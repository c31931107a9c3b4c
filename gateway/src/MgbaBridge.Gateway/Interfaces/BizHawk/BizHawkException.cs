using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.BizHawk;

/// <summary>The emulator does not answer. Clients take the end of their connection for it and connect again; an error would end them for good.</summary>
internal sealed class BizHawkException(FailureReport failure) : Exception(failure.Detail)
{
    /// <summary>The reply, unless it is a failure.</summary>
    /// <exception cref="BizHawkException">It is a failure.</exception>
    public static Reply Check(Reply reply) => reply.Failure is { } failure ? throw new BizHawkException(failure) : reply;
}
