namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>Threads that each serve their own listener by epoll; several share one port by SO_REUSEPORT.</summary>
internal sealed class EpollServer : IModelServer
{
    private readonly List<EpollLoop> _loops = [];

    public EpollServer(int threads, bool isShared)
    {
        for (var i = 0; i < threads; i++)
        {
            var listener = Listening.Open(Port, isShared);
            Port = Listening.PortOf(listener);
            _loops.Add(new EpollLoop(listener));
        }
    }

    public int Port { get; }
    public IReadOnlyList<long> Accepted => [.. _loops.Select(loop => loop.Accepted)];
    public long Echoed => 0;

    public void Start() => _loops.ForEach(loop => Listening.Run("epoll", loop.Serve));
}
