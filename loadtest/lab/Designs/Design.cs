namespace MgbaBridge.Lab.Designs;

/// <summary>A way to reach the script from many requests at once; from the first idea to what the product does.</summary>
internal abstract class Design(int port)
{
    /// <summary>All of them, by name. The gateway is the last one, and a program of its own.</summary>
    public static IReadOnlyDictionary<string, Func<int, Design>> All { get; } = new Dictionary<string, Func<int, Design>>
    {
        ["shared"] = port => new SharedSocket(port),
        ["fresh"] = port => new SocketForEachRequest(port),
        ["pool"] = port => new PooledSockets(port),
        ["retry"] = port => new RetriedSockets(port),
    };

    protected int Port { get; } = port;

    public abstract Task<Reply> SendAsync(string command, CancellationToken cancel);
}
