using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The memory of the script from its `status`: the minimum of several readings, to ignore garbage that is not collected yet.</summary>
internal static partial class LuaMemory
{
    private const int Readings = 40;

    public static double? Read(int port, WireRequests requests)
    {
        if (requests.Dialect != Dialect.Version2)
        {
            return null;
        }
        using var client = WireClient.Open(port, requests, new Tally());
        double? least = null;
        for (var reading = 1; reading <= Readings && client is not null; reading++)
        {
            var request = Encoding.ASCII.GetBytes($"#{reading} status<|END|>");
            if (client.Exchange(request, out _) && Memory().Match(Encoding.ASCII.GetString(client.Received.Span)) is { Success: true } match)
            {
                var kb = double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture);
                least = Math.Min(least ?? kb, kb);
            }
            Thread.Sleep(25);
        }
        return least;
    }

    [GeneratedRegex(@" memory_kb=(\d+)")]
    private static partial Regex Memory();
}
