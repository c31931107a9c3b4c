using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Hosting.HandOver;

/// <summary>
/// Hands the port over to another gateway without losing a request. Before this one stops listening, new connections are steered to the
/// other, and clients of open connections are made to reconnect.
/// </summary>
/// <remarks>
/// A connection belongs to a socket of the port's group from its first packet on, and one that waits in the queue of a socket that closes is
/// reset. So it is not enough to close quickly. The kernel does not report which member of the group is the successor, so each is tried:
/// steer to one, connect, and see who answers. All members listen, so trying has no effect on callers.
/// </remarks>
internal sealed class PortHandOver(
    ListenSockets sockets, ConnectionDrain drain, EmulatorRegistry emulators, TimeSpan timeLimit, TimeSpan startTimeout, TimeProvider time, ILogger<PortHandOver> logger) : HostedLifecycle
{
    /// <summary>How long a successor is looked for while some have not answered.</summary>
    public static readonly TimeSpan SearchTimeout = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan AnswerWithin = TimeSpan.FromSeconds(1);

    /// <summary>Comes before the server listens: from then on it gets its part of the port's connections, so its emulator is waited for.</summary>
    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(startTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, limit.Token);
        await ServingSignal.AnswersAsync(emulators, time, either.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    public override async Task StoppingAsync(CancellationToken cancellationToken)
    {
        // a draining gateway cannot be the successor, this one included
        drain.Begin();
        var steered = false;
        foreach (var socket in sockets.All)
        {
            steered |= await SteerAwayAsync(socket, (IPEndPoint)socket.LocalEndPoint!, cancellationToken);
        }

        if (steered)
        {
            // also for connections that are on their way to this one
            await Task.Delay(timeLimit, time, cancellationToken);
        }
    }

    private async Task<bool> SteerAwayAsync(Socket socket, IPEndPoint endPoint, CancellationToken cancellationToken)
    {
        var since = time.GetTimestamp();
        while (true)
        {
            var isSilent = false;
            var members = ReusePortGroup.Count(endPoint);
            for (var index = 0; index < members && members > 1; index++)
            {
                ReusePortGroup.Steer(socket, index);
                var stays = await StaysAsync(endPoint, cancellationToken);
                if (stays == true)
                {
                    GatewayLog.HandedOver(logger, endPoint.ToString());
                    return true;
                }

                isSilent |= stays is null;
            }

            // on a busy machine an answer may take longer
            if (!isSilent || time.GetElapsedTime(since) > SearchTimeout)
            {
                return false;
            }

            GatewayLog.SuccessorSilent(logger, endPoint.ToString());
        }
    }

    /// <summary>Whether a gateway that continues to run answers there; null when nothing answers in time.</summary>
    private static async Task<bool?> StaysAsync(IPEndPoint endPoint, CancellationToken cancellationToken)
    {
        using var client = new HttpClient(new SocketsHttpHandler { UseProxy = false, ConnectTimeout = AnswerWithin }) { Timeout = AnswerWithin };
        try
        {
            using var answer = await client.GetAsync(new Uri($"http://{Reachable(endPoint)}/healthz"), cancellationToken);
            return answer.Headers.ConnectionClose is not true;
        }
        catch (Exception exception) when (exception is HttpRequestException || (exception is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            return null;
        }
    }

    private static IPEndPoint Reachable(IPEndPoint endPoint) =>
        endPoint.Address.Equals(IPAddress.Any) ? new IPEndPoint(IPAddress.Loopback, endPoint.Port)
        : endPoint.Address.Equals(IPAddress.IPv6Any) ? new IPEndPoint(IPAddress.IPv6Loopback, endPoint.Port)
        : endPoint;
}
