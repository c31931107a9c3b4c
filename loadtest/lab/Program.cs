using MgbaBridge.Lab;

const string Usage = """
    mgba-bridge-lab compare --folder FOLDER [OPTION...]   measures all serving models; writes models.md, models.json and models.charts.json

      --folder FOLDER    where the report goes; must exist
      --seconds N        length of each measurement in seconds (default 1; persistent clients take 3 N, datagrams 2 N)
      --sockets N,N,...  numbers of connections (default 2,4,8,16,32,64,128,256,512; each takes two descriptors)
      --threads N,N,...  numbers of listeners of the reuseport model (default 1,2,4)
      --note TEXT        a line for the report, usually the machine

    mgba-bridge-lab server --model MODEL [--threads N]    runs one model; started by compare
    """;

try
{
    switch (args.FirstOrDefault())
    {
        case "compare":
            return CompareCommand.Run(args[1..]);
        case "server":
            return ServerCommand.Run(args[1..]);
        default:
            Console.Error.WriteLine(Usage);
            return 2;
    }
}
catch (MeasurementException exception)
{
    Console.Error.WriteLine($"mgba-bridge-lab: {exception.Message}");
    return 1;
}
