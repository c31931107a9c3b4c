using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One TCP connection to a port on 127.0.0.1. Calls return what the kernel says; nothing throws on the path that is measured.</summary>
internal sealed class WireSocket : IDisposable
{
    private static readonly byte[] On = [1, 0, 0, 0];

    private WireSocket(int descriptor) => Descriptor = descriptor;

    public int Descriptor { get; private set; }

    /// <summary>A connecting socket that never waits. Whether it got there, <see cref="ConnectError"/> says once it is writable.</summary>
    public static WireSocket Begin(int port, out Errno error)
    {
        var socket = new WireSocket(Libc.Socket(Libc.Internet, Libc.Stream | Libc.NonBlock | Libc.CloseOnExec, 0));
        error = socket.Connect(port);
        error = error == Errno.InProgress ? Errno.None : error;
        return socket;
    }

    /// <summary>A connected socket whose calls wait at most <paramref name="patience"/>; without an error only.</summary>
    public static WireSocket Open(int port, TimeSpan patience, out Errno error)
    {
        var socket = new WireSocket(Libc.Socket(Libc.Internet, Libc.Stream | Libc.CloseOnExec, 0));
        socket.SetPatience(patience);
        error = socket.Connect(port);
        // A connect cut off by the send time-out says "in progress".
        error = error == Errno.InProgress ? Errno.TimedOut : error;
        return socket;
    }

    public Errno ConnectError()
    {
        var length = sizeof(int);
        return Libc.GetOption(Descriptor, Libc.SocketLevel, Libc.SocketError, out var error, ref length) == 0 ? (Errno)error : LastError;
    }

    /// <summary>How many bytes went, or 0 and the error.</summary>
    public int Send(ReadOnlySpan<byte> bytes, out Errno error)
    {
        var count = (int)Libc.Send(Descriptor, bytes, bytes.Length, Libc.NoSignal);
        error = count < 0 ? LastError : Errno.None;
        return Math.Max(count, 0);
    }

    /// <summary>How many bytes came; 0 without an error means that the other side has closed.</summary>
    public int Receive(Span<byte> bytes, out Errno error)
    {
        var count = (int)Libc.Receive(Descriptor, bytes, bytes.Length, 0);
        error = count < 0 ? LastError : Errno.None;
        return Math.Max(count, 0);
    }

    /// <summary>Does not wait; false when nothing was there. An error is left for the next call that waits.</summary>
    public bool TryReceive(Span<byte> bytes, out int count)
    {
        count = (int)Libc.Receive(Descriptor, bytes, bytes.Length, Libc.DontWait);
        return count >= 0;
    }

    public void Dispose()
    {
        if (Descriptor >= 0)
        {
            _ = Libc.Close(Descriptor);
            Descriptor = -1;
        }
    }

    private static Errno LastError => (Errno)Marshal.GetLastPInvokeError();

    private Errno Connect(int port)
    {
        Span<byte> address = stackalloc byte[16];
        address.Clear();
        MemoryMarshal.Write(address, (ushort)Libc.Internet);
        BinaryPrimitives.WriteUInt16BigEndian(address[2..], (ushort)port);
        BinaryPrimitives.WriteUInt32BigEndian(address[4..], 0x7F000001);
        _ = Libc.SetOption(Descriptor, Libc.Tcp, Libc.NoDelay, On, On.Length);
        return Libc.Connect(Descriptor, address, address.Length) == 0 ? Errno.None : LastError;
    }

    private void SetPatience(TimeSpan patience)
    {
        Span<byte> time = stackalloc byte[16];
        MemoryMarshal.Write(time, (long)patience.TotalSeconds);
        MemoryMarshal.Write(time[8..], (long)patience.Microseconds + (patience.Milliseconds * 1000L));
        _ = Libc.SetOption(Descriptor, Libc.SocketLevel, Libc.ReceiveTimeout, time, time.Length);
        _ = Libc.SetOption(Descriptor, Libc.SocketLevel, Libc.SendTimeout, time, time.Length);
    }
}
