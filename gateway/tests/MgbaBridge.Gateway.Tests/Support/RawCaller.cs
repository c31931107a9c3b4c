using System.Net;
using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>An HTTP client that forgives nothing: what a usual one would try again in silence is a failure here.</summary>
internal sealed class RawCaller(int port, bool keeps) : IDisposable
{
    private readonly byte[] _received = new byte[16_384];
    private Socket? _socket;

    /// <summary>Sends one request. Null for the status 200, otherwise the answer or the error.</summary>
    public async Task<string?> RequestAsync(string path)
    {
        try
        {
            if (_socket is null)
            {
                _socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                await _socket.ConnectAsync(IPAddress.Loopback, port);
            }

            var connection = keeps ? "" : "Connection: close\r\n";
            await _socket.SendAsync(Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: localhost\r\n{connection}\r\n"));
            var answer = await AnswerAsync(_socket);
            if (answer.Contains("\r\nConnection: close", StringComparison.OrdinalIgnoreCase))
            {
                Dispose();
            }

            return answer.StartsWith("HTTP/1.1 200 ", StringComparison.Ordinal) ? null : answer;
        }
        catch (SocketException exception)
        {
            Dispose();
            return exception.Message;
        }
    }

    public void Dispose()
    {
        _socket?.Dispose();
        _socket = null;
    }

    private async Task<string> AnswerAsync(Socket socket)
    {
        for (var (length, total) = (0, int.MaxValue); ;)
        {
            var count = await socket.ReceiveAsync(_received.AsMemory(length));
            if (count == 0)
            {
                throw new SocketException((int)SocketError.ConnectionReset, $"closed after {length} bytes of the answer");
            }

            length += count;
            var text = Encoding.ASCII.GetString(_received, 0, length);
            var end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
            if (end >= 0 && total == int.MaxValue)
            {
                total = end + 4 + LengthIn(text[..end]);
            }

            if (length >= total)
            {
                return text;
            }
        }
    }

    private static int LengthIn(string head)
    {
        const string Name = "\r\nContent-Length: ";
        var start = head.IndexOf(Name, StringComparison.OrdinalIgnoreCase);
        return start < 0 ? 0 : int.Parse(head[(start + Name.Length)..].Split("\r\n")[0], System.Globalization.CultureInfo.InvariantCulture);
    }
}
