using MgbaBridge.Gateway.Benchmarks.Designs;
using MgbaBridge.Gateway.Benchmarks.FrameBudget;
using MgbaBridge.Gateway.Benchmarks.Life;
using MgbaBridge.Gateway.Benchmarks.Lockstep;
using MgbaBridge.Gateway.Benchmarks.Search;
using MgbaBridge.Gateway.Benchmarks.Wire;

const string Usage = """
    mgba-bridge-bench COMMAND [--OPTION VALUE]...

    wire            measures one load on the script's own port; `wire --help` lists the options
    wire-report     writes the rows as tables with ratios and requirements
                    --rows FILE --markdown FILE --json FILE [--note TEXT]
    front           HTTP server in front of loadtest/baseline.lua, in the designs of the original
                    --mode fresh|pool|bounded|retry [--port PORT] [--http-port PORT]
    compare-report  compares the ladder reports of several designs
                    --folder FOLDER --designs "a=name|b=name"
    budget          where the time of a frame goes, in the headless emulator
                    --host PROGRAM --rom FILE --script FILE --saves FOLDER --folder FOLDER [--seconds N] [--note TEXT]
    budget-window   the same report from what lua/test-gui/budget.py measured in mgba-qt
                    --measured FILE --folder FOLDER [--note TEXT]
    lockstep        steps with one read per second, by wire, WebSocket and HTTP
                    --gateway URL --out FILE [--port PORT] [--free N] [--seconds N] [--note TEXT]
    lockstep-free   frames per second of an unthrottled emulator whose script only reads
                    --host PROGRAM --rom FILE --script FILE --saves FOLDER [--seconds N]
    allocations     bytes allocated in the gateway per request, by BenchmarkDotNet
                    [--port PORT] [--http-port PORT]
    start           time from the start of a published gateway to its first answer
                    --gateway FOLDER [--port PORT] [--http-port PORT] [--runs N]
    beside          small reads while another client downloads save states
                    [--http-port PORT] [--seconds N]
    soak            whether the gateway's heap stays flat
                    [--http-port PORT] [--minutes N]
    search          a pass of a RAM search over 256 KiB, vectorised and scalar
    """;

try
{
    switch (args.FirstOrDefault())
    {
        case "wire":
            return WireCommand.Run(args[1..]);
        case "wire-report":
            return ReportCommand.Run(args[1..]);
        case "front":
            return await FrontCommand.RunAsync(args[1..]);
        case "compare-report":
            return CompareReportCommand.Run(args[1..]);
        case "budget":
            return BudgetCommand.Run(args[1..]);
        case "budget-window":
            return WindowBudgetCommand.Run(args[1..]);
        case "lockstep":
            return await LockstepCommand.RunAsync(args[1..]);
        case "lockstep-free":
            return LockstepCommand.RunFree(args[1..]);
        case "allocations":
            return AllocationsCommand.Run(args[1..]);
        case "start":
            return StartCommand.Run(args[1..]);
        case "beside":
            return BesideCommand.Run(args[1..]);
        case "soak":
            return await SoakCommand.RunAsync(args[1..]);
        case "search":
            return SearchCommand.Run();
        default:
            Console.Error.WriteLine(Usage);
            return 2;
    }
}
catch (MeasurementException exception)
{
    Console.Error.WriteLine($"mgba-bridge-bench: {exception.Message}");
    return 1;
}
