using System.Runtime.InteropServices;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>
/// The system calls of the load generators. They bypass System.Net.Sockets because generator and emulator share two cores:
/// CPU time spent here is missing there. Linux only.
/// </summary>
internal static partial class Libc
{
    public const int Internet = 2, Stream = 1, NonBlock = 0x800, CloseOnExec = 0x80000;
    public const int SocketLevel = 1, SocketError = 4, ReceiveTimeout = 20, SendTimeout = 21, Tcp = 6, NoDelay = 1;
    public const int NoSignal = 0x4000;
    public const int EpollAdd = 1, EpollIn = 1, EpollOut = 4, EpollOneShot = 1 << 30;
    public const int SignalUser1 = 10;

    [LibraryImport("libc", EntryPoint = "socket", SetLastError = true)]
    public static partial int Socket(int domain, int type, int protocol);

    [LibraryImport("libc", EntryPoint = "connect", SetLastError = true)]
    public static partial int Connect(int socket, ReadOnlySpan<byte> address, int length);

    [LibraryImport("libc", EntryPoint = "send", SetLastError = true)]
    public static partial nint Send(int socket, ReadOnlySpan<byte> bytes, nint length, int flags);

    [LibraryImport("libc", EntryPoint = "recv", SetLastError = true)]
    public static partial nint Receive(int socket, Span<byte> bytes, nint length, int flags);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "setsockopt", SetLastError = true)]
    public static partial int SetOption(int socket, int level, int name, ReadOnlySpan<byte> value, int length);

    [LibraryImport("libc", EntryPoint = "getsockopt", SetLastError = true)]
    public static partial int GetOption(int socket, int level, int name, out int value, ref int length);

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int EpollCreate(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int EpollControl(int epoll, int operation, int descriptor, ReadOnlySpan<byte> what);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int EpollWait(int epoll, Span<byte> events, int count, int milliseconds);

    [LibraryImport("libc", EntryPoint = "usleep")]
    public static partial int SleepMicroseconds(uint microseconds);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int process, int signal);
}

/// <summary>The error numbers of Linux that are distinguished here.</summary>
internal enum Errno
{
    None = 0,
    Again = 11,
    BrokenPipe = 32,
    OutOfPorts = 99,
    Reset = 104,
    TimedOut = 110,
    Refused = 111,
    InProgress = 115,
}
