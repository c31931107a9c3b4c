using System.Globalization;
using MgbaBridge.Lab;
using MgbaBridge.Lab.Designs;
using MgbaBridge.Lab.Load;

const string Usage = """
    mgba-bridge-lab connections FOLDER MACHINE SECONDS SOCKETS,... IDLE   measures the servers of Servers/; writes lab.md and lab-rate.svg
    mgba-bridge-lab serve SERVER COUNT                                    runs one of them; started by `connections`
    mgba-bridge-lab front DESIGN SCRIPT_PORT HTTP_PORT                    runs one design of Designs/; started by scripts/load designs
    mgba-bridge-lab designs RUNS FOLDER MACHINE                           the runs of scripts/load designs as designs.md and designs.svg
    """;

try
{
    switch (args)
    {
        case ["connections", var folder, var machine, var seconds, var sockets, var idle]:
            return new Connections(Number("LAB_SECONDS", seconds), [.. sockets.Split(',').Select(text => Count("SOCKETS", text))], Count("IDLE", idle)).Run(folder, machine);
        case ["serve", var server, var count]:
            return ServerProcess.Serve(server, Count("COUNT", count));
        case ["front", var design, var scriptPort, var httpPort]:
            return await Front.RunAsync(design, Port("SCRIPT_PORT", scriptPort), Port("HTTP_PORT", httpPort));
        case ["designs", var runs, var folder, var machine]:
            return DesignsReport.Run(runs, folder, machine);
        default:
            Console.Error.WriteLine(Usage);
            return 2;
    }
}
catch (Exception exception) when (exception is MeasurementException or IOException or UnauthorizedAccessException or System.Text.Json.JsonException)
{
    Console.Error.WriteLine($"mgba-bridge-lab: {exception.Message}");
    return 1;
}

static int Port(string name, string text) => Count(name, text) is var port and <= 65_535 ? port : throw new MeasurementException($"{name} is \"{text}\"; a port is at most 65535");

static int Count(string name, string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
    ? number : throw new MeasurementException($"{name} is \"{text}\"; expected an integer above 0");

static double Number(string name, string text) => double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && number > 0
    ? number : throw new MeasurementException($"{name} is \"{text}\"; expected a number above 0");
