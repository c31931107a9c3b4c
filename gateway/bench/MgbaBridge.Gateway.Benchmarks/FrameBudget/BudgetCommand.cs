using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.FrameBudget;

/// <summary>
/// `budget`: where the time of a frame goes. Emulation is the CPU time of a frame without a script, our work the additional CPU time with the script,
/// linger the rest of the callback (blocked in select), and sleep the rest of the frame.
/// </summary>
internal static class BudgetCommand
{
    private const double Original = 59.7275;
    private const string Explanation = "Emulation: CPU time of a frame without a script. Our work: additional CPU time with the script. Linger: the rest of the callback, blocked in `select` until something arrives. "
        + "Sleep: the rest of the frame, including the time without a free CPU.";

    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(2);
    private static readonly (string Name, double Fps)[] Modes = [("60 fps", Original), ("fast-forward x4", 4 * Original), ("unthrottled", 0)];

    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var files = new EmulatorFiles(options.Text("host"), options.Text("rom"), options.Text("script"), options.Text("saves"));
        var folder = options.Text("folder");
        var length = TimeSpan.FromSeconds(options.Integer("seconds", 5));
        var note = options.Text("note", "");
        options.MustBeEmpty();

        var rows = Modes.SelectMany(mode => Measure(files, mode.Name, mode.Fps, length)).ToList();
        BudgetReport.Write(folder, "budget", note, Explanation, "The test game on the headless emulator", rows);
        return 0;
    }

    private static IEnumerable<BudgetRow> Measure(EmulatorFiles files, string mode, double fps, TimeSpan length)
    {
        EmulatorStats bare;
        using (var host = files.Start(fps, withScript: false))
        {
            bare = During(host, () => Thread.Sleep(length));
        }
        var emulation = bare.Cpu / bare.Frames;
        using var scripted = files.Start(fps, withScript: true);
        var load = LoadOf(files, scripted.Port, length);
        yield return Row(mode, "no client", emulation, During(scripted, () => Thread.Sleep(length)), 0);
        var account = During(scripted, () => OneClientLoad.Serial(load));
        yield return Row(mode, "one client back to back", emulation, account, load.Tally.Answered / load.Seconds);
    }

    private static EmulatorStats During(EmulatorProcess host, Action body)
    {
        Thread.Sleep(WarmUp);
        var before = host.Stats();
        body();
        return host.Stats() - before;
    }

    private static Load LoadOf(EmulatorFiles files, int port, TimeSpan length) => Load.Of(new WireOptions
    {
        Shape = "serial",
        Row = "budget",
        Port = port,
        Process = 0,
        Log = "",
        Rom = files.Rom,
        Out = "",
        Length = length,
    });

    private static BudgetRow Row(string mode, string clients, double emulation, EmulatorStats total, double rate)
    {
        var period = total.Seconds / total.Frames;
        var callback = total.Callback / total.Frames;
        var work = Math.Clamp((total.Cpu / total.Frames) - emulation, 0, callback);
        var sleep = Math.Max(0, period - callback - emulation);
        var row = new BudgetRow(mode, clients, total.Frames / total.Seconds, period * 1000, emulation * 1000, work * 1000, (callback - work) * 1000, sleep * 1000, rate);
        Console.Error.WriteLine(FormattableString.Invariant($"{mode}, {clients}: {row.Fps:0.0} frames a second"));
        return row;
    }
}
