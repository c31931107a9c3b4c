using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.Gateway.LoopbackHttp;

/// <summary>What the gateway sends.</summary>
/// <param name="socket">The connection.</param>
/// <param name="silence">How long nothing may come before <paramref name="onSilence"/> is called.</param>
/// <param name="onSilence">Returns if more may come, and throws otherwise.</param>
internal sealed class ReceivedBytes(Socket socket, TimeSpan silence, Action onSilence) : IDisposable
{
    /// <summary>How many bytes the lines before a body may have, and those behind its last chunk.</summary>
    public const int MaxLines = 64 * 1024;

    private readonly byte[] _buffer = new byte[16 * 1024];
    private int _start;
    private int _end;

    /// <summary>The exception for a connection that ended within a response.</summary>
    public static IOException EndedEarly() => new("the connection ended before the response did");

    /// <summary>Reads bytes; 0 at the end.</summary>
    public int Read(Span<byte> bytes)
    {
        if (_start == _end && !Fill())
        {
            return 0;
        }

        var count = Math.Min(bytes.Length, _end - _start);
        _buffer.AsSpan(_start, count).CopyTo(bytes);
        _start += count;
        return count;
    }

    /// <summary>Reads a line, without its end.</summary>
    /// <param name="budget">How many bytes it may have.</param>
    public string Line(ref int budget)
    {
        var line = new StringBuilder();
        while (true)
        {
            if (_start == _end && !Fill())
            {
                throw EndedEarly();
            }

            var letter = (char)_buffer[_start++];
            if (--budget < 0)
            {
                throw LoopbackResponse.Malformed($"its headers have more than {MaxLines} bytes");
            }

            if (letter == '\n')
            {
                return line.Length > 0 && line[^1] == '\r' ? line.ToString(0, line.Length - 1) : line.ToString();
            }

            line.Append(letter);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => socket.Dispose();

    private bool Fill()
    {
        try
        {
            while (!socket.Poll(silence, SelectMode.SelectRead))
            {
                onSilence();
            }

            (_start, _end) = (0, socket.Receive(_buffer));
            return _end > 0;
        }
        catch (SocketException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }
}
