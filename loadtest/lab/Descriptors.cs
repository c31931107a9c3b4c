using System.Globalization;

namespace MgbaBridge.Lab;

/// <summary>How many files this process may open.</summary>
internal static class Descriptors
{
    public static long Limit { get; } = Read();

    private static long Read()
    {
        var line = File.ReadLines("/proc/self/limits").First(line => line.StartsWith("Max open files", StringComparison.Ordinal));
        var soft = line["Max open files".Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[0];
        return long.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out var limit) ? limit : long.MaxValue;
    }
}
