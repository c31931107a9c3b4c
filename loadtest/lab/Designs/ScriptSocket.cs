using System.Buffers;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.Lab.Designs;

/// <summary>One connection to the script: a request, then its reply.</summary>
internal sealed class ScriptSocket : IDisposable
{
    private static long _opened;
    private static long _ids;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly ArrayBufferWriter<byte> _received = new(4096);

    /// <summary>Connections that this process has opened.</summary>
    public static long Opened => Volatile.Read(ref _opened);

    /// <summary>Whether every request so far had its reply. After anything else the next reply could be that of an earlier request.</summary>
    public bool IsUsable { get; private set; } = true;

    private static ReadOnlySpan<byte> Terminator => "<|END|>"u8;

    public static async Task<ScriptSocket> OpenAsync(int port, CancellationToken cancel)
    {
        var socket = new ScriptSocket();
        await socket.ConnectAsync(port, cancel);
        return socket;
    }

    public async Task ConnectAsync(int port, CancellationToken cancel)
    {
        try
        {
            await _socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), cancel);
            Interlocked.Increment(ref _opened);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Sends a command, and returns the frame and the values of its reply.</summary>
    public async Task<Reply> SendAsync(string command, CancellationToken cancel)
    {
        IsUsable = false;
        var id = Interlocked.Increment(ref _ids);
        var request = Encoding.UTF8.GetBytes($"#{id} {command}<|END|>");
        for (var sent = 0; sent < request.Length;)
        {
            sent += await _socket.SendAsync(request.AsMemory(sent), cancel);
        }

        _received.ResetWrittenCount();
        while (!_received.WrittenSpan.EndsWith(Terminator))
        {
            var count = await _socket.ReceiveAsync(_received.GetMemory(4096), cancel);
            if (count == 0)
            {
                throw new IOException("the script closed the connection");
            }

            _received.Advance(count);
        }

        var reply = Reply.Parse(Encoding.UTF8.GetString(_received.WrittenSpan[..^Terminator.Length]), id);
        IsUsable = true;
        return reply;
    }

    public void Dispose()
    {
        IsUsable = false;
        _socket.Dispose();
    }
}

/// <summary>A reply of the script: `#ID FRAME EPOCH ok VALUES`.</summary>
internal sealed record Reply(long Frame, string Values)
{
    public static Reply Parse(string text, long id)
    {
        var parts = text.Split(' ', 5);
        return parts.Length >= 4 && parts[0] == $"#{id}" && parts[3] == "ok"
            ? new Reply(long.Parse(parts[1], CultureInfo.InvariantCulture), parts.ElementAtOrDefault(4) ?? "")
            : throw new IOException($"the script answered \"{text}\"");
    }
}
