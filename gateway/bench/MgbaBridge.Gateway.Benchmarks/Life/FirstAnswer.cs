using System.Diagnostics;
using System.Net.Sockets;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>Waits for a gateway's first answer from its emulator.</summary>
internal static class FirstAnswer
{
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(2);

    /// <summary>False when none came in time.</summary>
    public static bool Within(TimeSpan limit, int httpPort)
    {
        for (var since = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(since) < limit;)
        {
            try
            {
                using var asker = new HttpAsker(httpPort, HttpAsker.SmallRead);
                asker.Ask();
                return true;
            }
            catch (Exception exception) when (exception is SocketException or WireException)
            {
                Thread.Sleep(Again);
            }
        }

        return false;
    }
}
