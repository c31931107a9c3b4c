using System.Text.Json;

namespace MgbaBridge.Lab;

/// <summary>`server`: runs one model. Prints its port, then one line of figures for each line of input; ends with the input.</summary>
internal static class ServerCommand
{
    public static readonly string[] Streams = ["threads", "select", "epoll", "async", "reuseport"];
    public static readonly string[] Datagrams = ["udp-naive", "udp-pinned"];

    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var threads = options.Integer("threads", 1);
        var server = Of(options.Text("model"), threads);
        options.MustBeEmpty();
        server.Start();
        Console.WriteLine(server.Port);
        while (Console.ReadLine() is not null)
        {
            Console.WriteLine(JsonSerializer.Serialize(new ServerFigures(server.Accepted, server.Echoed, GC.GetTotalAllocatedBytes(precise: true)), Format.Json));
        }
        return 0;
    }

    private static IEchoServer Of(string model, int threads) => model switch
    {
        "threads" => new ThreadPerConnectionServer(),
        "select" => new SelectServer(),
        "epoll" => new EpollServer(1, isShared: false),
        "async" => new AsyncSocketServer(),
        "reuseport" => new EpollServer(threads, isShared: true),
        "udp-naive" => new UdpClientServer(),
        "udp-pinned" => new PinnedBufferServer(),
        _ => throw new MeasurementException($"unknown model {model}; the models are {string.Join(", ", [.. Streams, .. Datagrams])}"),
    };
}

/// <summary>The figures of a server at one instant.</summary>
internal sealed record ServerFigures(IReadOnlyList<long> Accepted, long Echoed, long AllocatedBytes);
