using System.Diagnostics;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>Waits until a gateway returns its first answer from the emulator.</summary>
internal static class GatewayProbe
{
    private static readonly TimeSpan RetryDelay = TimeSpan.FromMilliseconds(2);

    /// <summary>False when no answer arrived in time.</summary>
    public static bool Within(TimeSpan limit, int httpPort)
    {
        for (var since = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(since) < limit;)
        {
            try
            {
                using var client = new RawHttpClient(httpPort, RawHttpClient.SmallRead);
                client.Send();
                return true;
            }
            catch (Exception exception) when (exception is SocketException or MeasurementException)
            {
                Thread.Sleep(RetryDelay);
            }
        }

        return false;
    }
}
