using System.Text.Json;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>`model-server`: one model in a process of its own. Prints its port, then a line of figures for each line it reads, and ends with its input.</summary>
internal static class ServerCommand
{
    public static readonly string[] Streams = ["threads", "select", "epoll", "async", "reuseport"];
    public static readonly string[] Datagrams = ["udp-naive", "udp-pinned"];

    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var threads = options.Whole("threads", 1);
        var server = Of(options.Text("model"), threads);
        options.MustBeEmpty();
        server.Start();
        Console.WriteLine(server.Port);
        while (Console.ReadLine() is not null)
        {
            Console.WriteLine(JsonSerializer.Serialize(new ServerFigures(server.Accepted, server.Echoed, GC.GetTotalAllocatedBytes(precise: true)), WireCommand.Json));
        }
        return 0;
    }

    private static IModelServer Of(string model, int threads) => model switch
    {
        "threads" => new ThreadsServer(),
        "select" => new SelectServer(),
        "epoll" => new EpollServer(1, isShared: false),
        "async" => new AsyncServer(),
        "reuseport" => new EpollServer(threads, isShared: true),
        "udp-naive" => new NaiveDatagramServer(),
        "udp-pinned" => new PinnedDatagramServer(),
        _ => throw new WireException($"there is no model {model}; there are {string.Join(", ", [.. Streams, .. Datagrams])}"),
    };
}
