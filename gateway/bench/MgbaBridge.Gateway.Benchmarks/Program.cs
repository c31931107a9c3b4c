using MgbaBridge.Gateway.Benchmarks.Wire;

const string Usage = """
    mgba-bridge-bench COMMAND [--OPTION VALUE]...

    wire            measures one load on the script's own port; `wire --help` lists the options
    wire-report     writes the rows as tables with ratios and requirements
                    --rows FILE --markdown FILE --json FILE [--note TEXT]
    """;

try
{
    switch (args.FirstOrDefault())
    {
        case "wire":
            return WireCommand.Run(args[1..]);
        case "wire-report":
            return ReportCommand.Run(args[1..]);
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
