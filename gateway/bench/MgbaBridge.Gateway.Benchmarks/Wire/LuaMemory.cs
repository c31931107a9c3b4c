using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The script's memory as its `status` tells it: the least of some looks, because what was not collected yet is no growth.</summary>
internal static partial class LuaMemory
{
    private const int Looks = 40;

    public static double? Read(int port, Questions questions)
    {
        if (questions.Dialect != Dialect.Version2)
        {
            return null;
        }
        using var asker = Asker.Open(port, questions, new Tally());
        double? least = null;
        for (var look = 1; look <= Looks && asker is not null; look++)
        {
            var request = Encoding.ASCII.GetBytes($"#{look} status<|END|>");
            if (asker.Exchange(request, out _) && Memory().Match(Encoding.ASCII.GetString(asker.Received.Span)) is { Success: true } match)
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
