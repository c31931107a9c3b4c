using System.Runtime.InteropServices;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Waits for many sockets in one thread, by epoll. The caller identifies each socket by an index.</summary>
internal sealed class Poller : IDisposable
{
    // struct epoll_event is packed on x86-64 only.
    private static readonly bool IsPacked = RuntimeInformation.ProcessArchitecture == Architecture.X64;
    private static readonly int EventSize = IsPacked ? 12 : 16;
    private static readonly int DataOffset = IsPacked ? 4 : 8;

    private readonly int _descriptor = Libc.EpollCreate(Libc.CloseOnExec);
    private readonly byte[] _events = new byte[EventSize * 256];

    /// <summary>Reports when bytes can be read; or, for a connecting socket, once, when it is connected or has failed.</summary>
    public void Add(LoopbackSocket socket, int index, bool isConnecting = false) => Add(socket.Descriptor, index, isConnecting);

    /// <summary>The same for a socket by its file descriptor.</summary>
    public void Add(int descriptor, int index, bool isConnecting = false)
    {
        Span<byte> what = stackalloc byte[EventSize];
        MemoryMarshal.Write(what, isConnecting ? Libc.EpollOut | Libc.EpollOneShot : Libc.EpollIn);
        MemoryMarshal.Write(what[DataOffset..], (long)index);
        if (Libc.EpollControl(_descriptor, Libc.EpollAdd, descriptor, what) != 0)
        {
            throw new MeasurementException($"epoll_ctl failed (error {Marshal.GetLastPInvokeError()})");
        }
    }

    /// <summary>Returns how many sockets are ready; <see cref="Ready"/> returns their indexes.</summary>
    public int Wait(int milliseconds) => Math.Max(0, Libc.EpollWait(_descriptor, _events, _events.Length / EventSize, milliseconds));

    public int Ready(int i) => (int)MemoryMarshal.Read<long>(_events.AsSpan((i * EventSize) + DataOffset));

    public void Dispose() => _ = Libc.Close(_descriptor);
}
