using MgbaBridge.Gateway.Interfaces.Http;
using Microsoft.AspNetCore.Connections;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// Clients that close their side after the request, such as <c>nc -N</c>. The server takes a client for gone as soon as it has done that; here it has a second
/// to answer. What has begun to answer, such as a stream, ends at once: most clients that close their side are gone.
/// </summary>
internal static class HalfClosedClients
{
    private static readonly TimeSpan AnswerWithin = TimeSpan.FromSeconds(1);

    /// <summary>Answers them on the connections of a listener.</summary>
    public static ConnectionDelegate Answer(TimeProvider time, ConnectionDelegate next) => async connection =>
    {
        var answer = connection.Features.Get<UnreadConnection>()!;
        using var closed = new CancellationTokenSource(Timeout.InfiniteTimeSpan, time);
        using var registration = connection.ConnectionClosed.UnsafeRegister(_ => closed.CancelAfter(answer.HasBegun ? TimeSpan.Zero : AnswerWithin), null);
        connection.ConnectionClosed = closed.Token;
        await next(connection);
    };
}
