using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One TCP connection to a port on 127.0.0.1. Calls return the kernel's error number; nothing throws on the measured path.</summary>
internal sealed class LoopbackSocket : IDisposable
{
    private static readonly byte[] On = [1, 0, 0, 0];

    private LoopbackSocket(int descriptor) => Descriptor = descriptor;

    public int Descriptor { get; private set; }

    /// <summary>Starts to connect a non-blocking socket. Once it is writable, <see cref="ConnectError"/> returns the result.</summary>
    public static LoopbackSocket Begin(int port, out Errno error)
    {
        var socket = new LoopbackSocket(Libc.Socket(Libc.Internet, Libc.Stream | Libc.NonBlock | Libc.CloseOnExec, 0));
        error = socket.Connect(port);
        error = error == Errno.InProgress ? Errno.None : error;
        return socket;
    }

    /// <summary>Connects a blocking socket whose calls wait at most <paramref name="timeout"/>. Usable only without an error.</summary>
    public static LoopbackSocket Open(int port, TimeSpan timeout, out Errno error)
    {
        var socket = new LoopbackSocket(Libc.Socket(Libc.Internet, Libc.Stream | Libc.CloseOnExec, 0));
        socket.SetTimeout(timeout);
        error = socket.Connect(port);
        // A connect that the send timeout interrupts returns "in progress".
        error = error == Errno.InProgress ? Errno.TimedOut : error;
        return socket;
    }

    public Errno ConnectError()
    {
        var length = sizeof(int);
        return Libc.GetOption(Descriptor, Libc.SocketLevel, Libc.SocketError, out var error, ref length) == 0 ? (Errno)error : LastError;
    }

    /// <summary>Returns the number of bytes sent, or 0 and the error.</summary>
    public int Send(ReadOnlySpan<byte> bytes, out Errno error)
    {
        var count = (int)Libc.Send(Descriptor, bytes, bytes.Length, Libc.NoSignal);
        error = count < 0 ? LastError : Errno.None;
        return Math.Max(count, 0);
    }

    /// <summary>Returns the number of bytes received; 0 without an error means that the peer closed the connection.</summary>
    public int Receive(Span<byte> bytes, out Errno error)
    {
        var count = (int)Libc.Receive(Descriptor, bytes, bytes.Length, 0);
        error = count < 0 ? LastError : Errno.None;
        return Math.Max(count, 0);
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

    private void SetTimeout(TimeSpan timeout)
    {
        Span<byte> time = stackalloc byte[16];
        MemoryMarshal.Write(time, (long)timeout.TotalSeconds);
        MemoryMarshal.Write(time[8..], (long)timeout.Microseconds + (timeout.Milliseconds * 1000L));
        _ = Libc.SetOption(Descriptor, Libc.SocketLevel, Libc.ReceiveTimeout, time, time.Length);
        _ = Libc.SetOption(Descriptor, Libc.SocketLevel, Libc.SendTimeout, time, time.Length);
    }
}
