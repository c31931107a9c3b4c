using MgbaBridge.Gateway.Benchmarks.Budget;
using MgbaBridge.Gateway.Benchmarks.Compare;
using MgbaBridge.Gateway.Benchmarks.Life;
using MgbaBridge.Gateway.Benchmarks.Lockstep;
using MgbaBridge.Gateway.Benchmarks.Models;
using MgbaBridge.Gateway.Benchmarks.Search;
using MgbaBridge.Gateway.Benchmarks.Wire;

const string Usage = """
    mgba-bridge-bench wire --shape SHAPE --row NAME --out FILE ...    one row of load on the script's own port; `wire --help` has the rest
    mgba-bridge-bench wire-report --rows FILE --markdown FILE --json FILE   the rows as a table with ratios and requirements
    mgba-bridge-bench front --mode fresh|pool|bounded|retry --port PORT --http-port PORT   HTTP before loadtest/baseline.lua, the ways of the original
    mgba-bridge-bench compare-report --folder FOLDER --designs "a=name|b=name"   their ladders side by side
    mgba-bridge-bench models --folder FOLDER [--seconds N] [--sockets 2,4,..] [--threads 1,2,4]   ways to serve connections, side by side
    mgba-bridge-bench budget --host PROGRAM --rom FILE --script FILE --saves FOLDER --folder FOLDER [--seconds N]   where the time of a frame goes
    mgba-bridge-bench budget-window --measured FILE --folder FOLDER   the same of the real window, from what lua/test-gui/budget.py measured
    mgba-bridge-bench lockstep --gateway URL --port PORT --free N --out FILE    steps a second with one read, by wire, WebSocket and HTTP
    mgba-bridge-bench lockstep-free --host PROGRAM --rom FILE --script FILE --saves FOLDER   frames a second of a host that only reads
    mgba-bridge-bench allocations --port PORT --http-port FREE    bytes a request allocates in the gateway, by BenchmarkDotNet
    mgba-bridge-bench start --gateway FOLDER --port PORT --http-port FREE [--runs N]   from a gateway's start to its first answer
    mgba-bridge-bench beside --http-port PORT [--seconds N]    small reads while another client downloads states
    mgba-bridge-bench soak --http-port PORT [--minutes N]    whether the gateway's heap stays flat
    mgba-bridge-bench search    a pass of a RAM search over 256 KiB by vectors, beside one number after the other
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
        case "models":
            return ModelsCommand.Run(args[1..]);
        case "model-server":
            return ServerCommand.Run(args[1..]);
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
catch (WireException exception)
{
    Console.Error.WriteLine($"mgba-bridge-bench: {exception.Message}");
    return 1;
}
