using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>What /proc says about the host and the machine at one instant.</summary>
internal sealed record ProcessFigures(int Descriptors, long ResidentKb, double CpuSeconds, double MachineCpuSeconds)
{
    private const double TicksPerSecond = 100, PageKb = 4;

    public static ProcessFigures Of(int process)
    {
        var machine = MachineCpu();
        try
        {
            // Field 14 and 15 are counted from behind the name, which may hold spaces.
            var stat = File.ReadAllText($"/proc/{process}/stat");
            var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            var resident = Number(File.ReadAllText($"/proc/{process}/statm").Split(' ')[1]) * PageKb;
            return new ProcessFigures(Directory.GetFileSystemEntries($"/proc/{process}/fd").Length, (long)resident, (Number(fields[11]) + Number(fields[12])) / TicksPerSecond, machine);
        }
        catch (IOException)
        {
            return new ProcessFigures(0, 0, 0, machine);
        }
    }

    /// <summary>Seconds of all processors in use: user, nice, system, interrupts, stolen.</summary>
    private static double MachineCpu()
    {
        var fields = File.ReadLines("/proc/stat").First().Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return (Number(fields[1]) + Number(fields[2]) + Number(fields[3]) + Number(fields[6]) + Number(fields[7]) + Number(fields[8])) / TicksPerSecond;
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
