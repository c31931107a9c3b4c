using System.Globalization;

namespace MgbaBridge.Fleet.Node;

/// <summary>How many processors of this machine are idle, between two measurements.</summary>
internal sealed class ProcessorMeter
{
    private const string Statistics = "/proc/stat";
    private const int Idle = 4; // the columns idle and iowait of the line `cpu`
    private const int Waiting = 5;

    private (long Idle, long All) _last = Read();

    /// <summary>Idle processors since the last measurement; all of them where the system does not say.</summary>
    public double Measure()
    {
        var now = Read();
        var (idle, all) = (now.Idle - _last.Idle, now.All - _last.All);
        _last = now;
        return all > 0 ? Math.Round(Environment.ProcessorCount * Math.Clamp(idle / (double)all, 0, 1), 2) : Environment.ProcessorCount;
    }

    private static (long Idle, long All) Read()
    {
        try
        {
            var columns = File.ReadLines(Statistics).First().Split(' ', StringSplitOptions.RemoveEmptyEntries);
            var times = columns.Skip(1).Take(8).Select(column => long.Parse(column, NumberStyles.None, CultureInfo.InvariantCulture)).ToArray();
            return (times[Idle - 1] + times[Waiting - 1], times.Sum());
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or FormatException or InvalidOperationException or IndexOutOfRangeException)
        {
            return default;
        }
    }
}
