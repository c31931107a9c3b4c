using System.Runtime.InteropServices;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Many sockets, one thread: epoll. Each socket is known by an index of the caller's.</summary>
internal sealed class Poller : IDisposable
{
    // struct epoll_event is packed on x86-64 only.
    private static readonly bool IsPacked = RuntimeInformation.ProcessArchitecture == Architecture.X64;
    private static readonly int EventSize = IsPacked ? 12 : 16;
    private static readonly int DataOffset = IsPacked ? 4 : 8;

    private readonly int _descriptor = Libc.EpollCreate(Libc.CloseOnExec);
    private readonly byte[] _events = new byte[EventSize * 256];

    /// <summary>Tells from now on when bytes can be read; or once, when the connection is there or has failed.</summary>
    public void Add(WireSocket socket, int index, bool isConnecting = false) => Add(socket.Descriptor, index, isConnecting);

    public void Add(int descriptor, int index, bool isConnecting = false)
    {
        Span<byte> what = stackalloc byte[EventSize];
        MemoryMarshal.Write(what, isConnecting ? Libc.EpollOut | Libc.EpollOneShot : Libc.EpollIn);
        MemoryMarshal.Write(what[DataOffset..], (long)index);
        if (Libc.EpollControl(_descriptor, Libc.EpollAdd, descriptor, what) != 0)
        {
            throw new WireException($"epoll does not take a socket (error {Marshal.GetLastPInvokeError()})");
        }
    }

    /// <summary>Waits, and returns how many sockets are ready; <see cref="Ready"/> tells which.</summary>
    public int Wait(int milliseconds) => Math.Max(0, Libc.EpollWait(_descriptor, _events, _events.Length / EventSize, milliseconds));

    public int Ready(int i) => (int)MemoryMarshal.Read<long>(_events.AsSpan((i * EventSize) + DataOffset));

    public void Dispose() => _ = Libc.Close(_descriptor);
}
