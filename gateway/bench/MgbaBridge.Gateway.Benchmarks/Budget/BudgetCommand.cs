using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Budget;

/// <summary>
/// `budget`: where the time of a frame goes. Emulation is what a frame costs of a processor without a script; our work is what it costs more with the script;
/// the rest of the callback is linger, asleep in select; and what is left of the frame the host sleeps.
/// </summary>
internal static class BudgetCommand
{
    private const double Original = 59.7275;
    private const string Words = "Emulation: processor time of a frame without a script. Our work: what the script adds to it. Linger: the rest of the callback, asleep in `select` and awake as soon as something arrives. "
        + "Sleep: what the host waits, and what it has to wait for a processor.";

    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(2);
    private static readonly (string Name, double Fps)[] Modes = [("60 fps", Original), ("fast-forward x4", 4 * Original), ("unthrottled", 0)];

    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var place = new Place(options.Text("host"), options.Text("rom"), options.Text("script"), options.Text("saves"));
        var folder = options.Text("folder");
        var length = TimeSpan.FromSeconds(options.Whole("seconds", 5));
        var note = options.Text("note", "");
        options.MustBeEmpty();

        var rows = Modes.SelectMany(mode => Measure(place, mode.Name, mode.Fps, length)).ToList();
        BudgetReport.Write(folder, "budget", note, Words, "Our test game on the windowless emulator", rows);
        return 0;
    }

    private static IEnumerable<BudgetRow> Measure(Place place, string mode, double fps, TimeSpan length)
    {
        HostAccount bare;
        using (var host = place.Start(fps, withScript: false))
        {
            bare = During(host, () => Thread.Sleep(length));
        }
        var emulation = bare.Cpu / bare.Frames;
        using var scripted = place.Start(fps, withScript: true);
        var load = LoadOf(place, scripted.Port, length);
        yield return Row(mode, "no client", emulation, During(scripted, () => Thread.Sleep(length)), 0);
        var account = During(scripted, () => OneClientLoad.Serial(load));
        yield return Row(mode, "one client back to back", emulation, account, load.Tally.Answered / load.Seconds);
    }

    private static HostAccount During(Host host, Action body)
    {
        Thread.Sleep(WarmUp);
        var before = host.Account();
        body();
        return host.Account() - before;
    }

    private static Load LoadOf(Place place, int port, TimeSpan length) => Load.Of(new WireOptions
    {
        Shape = "serial",
        Row = "budget",
        Port = port,
        Process = 0,
        Log = "",
        Rom = place.Rom,
        Out = "",
        Length = length,
    });

    private static BudgetRow Row(string mode, string clients, double emulation, HostAccount all, double rate)
    {
        var period = all.Seconds / all.Frames;
        var callback = all.Callback / all.Frames;
        var work = Math.Clamp((all.Cpu / all.Frames) - emulation, 0, callback);
        var sleep = Math.Max(0, period - callback - emulation);
        var row = new BudgetRow(mode, clients, all.Frames / all.Seconds, period * 1000, emulation * 1000, work * 1000, (callback - work) * 1000, sleep * 1000, rate);
        Console.Error.WriteLine(FormattableString.Invariant($"{mode}, {clients}: {row.Fps:0.0} frames a second"));
        return row;
    }
}
