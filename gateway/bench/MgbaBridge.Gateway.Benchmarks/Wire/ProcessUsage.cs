using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Resources used by a process and by the machine, from /proc.</summary>
internal sealed record ProcessUsage(int Descriptors, long ResidentKb, double CpuSeconds, double MachineCpuSeconds)
{
    private const double TicksPerSecond = 100, PageKb = 4;

    public static ProcessUsage Of(int process)
    {
        var machine = MachineCpu();
        try
        {
            // Count the fields from behind the name, which may contain spaces: user and system time are 14 and 15.
            var stat = File.ReadAllText($"/proc/{process}/stat");
            var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            var resident = Number(File.ReadAllText($"/proc/{process}/statm").Split(' ')[1]) * PageKb;
            return new ProcessUsage(Directory.GetFileSystemEntries($"/proc/{process}/fd").Length, (long)resident, (Number(fields[11]) + Number(fields[12])) / TicksPerSecond, machine);
        }
        catch (IOException)
        {
            return new ProcessUsage(0, 0, 0, machine);
        }
    }

    /// <summary>Busy seconds of all processors: user, nice, system, interrupts, stolen.</summary>
    private static double MachineCpu()
    {
        var fields = File.ReadLines("/proc/stat").First().Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return (Number(fields[1]) + Number(fields[2]) + Number(fields[3]) + Number(fields[6]) + Number(fields[7]) + Number(fields[8])) / TicksPerSecond;
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
