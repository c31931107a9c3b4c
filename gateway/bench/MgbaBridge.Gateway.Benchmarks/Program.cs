using MgbaBridge.Gateway.Benchmarks.Search;
using MgbaBridge.Gateway.Benchmarks.Wire;

const string Usage = """
    mgba-bridge-bench wire --shape SHAPE --row NAME --out FILE ...    one row of load on the script's own port; `wire --help` has the rest
    mgba-bridge-bench wire-report --rows FILE --markdown FILE --json FILE   the rows as a table with ratios and requirements
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
