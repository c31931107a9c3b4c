namespace MgbaBridge.Lab;

/// <summary>epoll and reuseport: each thread serves a listener of its own by epoll; several share one port by SO_REUSEPORT.</summary>
internal sealed class EpollServer : IEchoServer
{
    private readonly List<EpollLoop> _loops = [];

    public EpollServer(int threads, bool isShared)
    {
        for (var i = 0; i < threads; i++)
        {
            var listener = Listeners.Open(Port, isShared);
            Port = Listeners.PortOf(listener);
            _loops.Add(new EpollLoop(listener));
        }
    }

    public int Port { get; }
    public IReadOnlyList<long> Accepted => [.. _loops.Select(loop => loop.Accepted)];
    public long Echoed => 0;

    public void Start() => _loops.ForEach(loop => Listeners.Run("epoll", loop.Serve));
}
