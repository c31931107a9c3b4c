using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Gateway.Hosting.HandOver;

/// <summary>Linux's groups of sockets that listen on one port together (SO_REUSEPORT), which .NET has no words for.</summary>
internal static class ReusePortGroup
{
    private const int SocketLevel = 1; // SOL_SOCKET
    private const int ReusePort = 15; // SO_REUSEPORT
    private const int AttachProgram = 51; // SO_ATTACH_REUSEPORT_CBPF
    private const ushort ReturnConstant = 0x06; // BPF_RET | BPF_K

    /// <summary>Lets others listen on the socket's port as well. Call it before the socket is bound.</summary>
    public static void Join(Socket socket) => socket.SetRawSocketOption(SocketLevel, ReusePort, MemoryMarshal.AsBytes([1]));

    /// <summary>From now on all new connections of the group go to its member at <paramref name="index"/>. An index beyond the group counts
    /// as none: then they are spread as usual.</summary>
    public static void Steer(Socket member, int index)
    {
        // struct sock_filter: code, two jumps, constant
        var instruction = new byte[8];
        MemoryMarshal.Write(instruction, ReturnConstant);
        MemoryMarshal.Write(instruction.AsSpan(4), index);
        var pinned = GCHandle.Alloc(instruction, GCHandleType.Pinned);
        try
        {
            // struct sock_fprog: how many instructions, and where
            Span<byte> program = stackalloc byte[2 * IntPtr.Size];
            program.Clear();
            MemoryMarshal.Write(program, (ushort)1);
            MemoryMarshal.Write(program[IntPtr.Size..], pinned.AddrOfPinnedObject());
            member.SetRawSocketOption(SocketLevel, AttachProgram, program);
        }
        finally
        {
            pinned.Free();
        }
    }

    /// <summary>How many sockets listen on exactly this address and port.</summary>
    public static int Count(IPEndPoint endPoint)
    {
        var address = endPoint.Address.GetAddressBytes();
        return LocalListeners.Read()[endPoint.Port].Count(listener => listener.EndPoint.Address.GetAddressBytes().AsSpan().SequenceEqual(address));
    }
}
