using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary>
/// Sends requests to a gateway on this machine over plain HTTP/1.1: a connection for each, and blocking calls. <see cref="SocketsHttpHandler"/> with its
/// pool of connections takes longer to start than the whole request (docs/decisions/0018-verbs-use-a-socket.md).
/// </summary>
/// <param name="address">The loopback address.</param>
internal sealed class LoopbackHandler(IPAddress address) : HttpMessageHandler
{
    // of the lines before a body, or behind its last chunk
    private const int MaxHead = 64 * 1024;

    // Linux: how often a connection is attempted again, so that it is given up after about 7 s
    private const int TcpLevel = 6;
    private const int SynCount = 7;

    /// <summary>The handler for a gateway's URL, or null if it is not for that URL.</summary>
    public static LoopbackHandler? For(Uri url) => url.Scheme != Uri.UriSchemeHttp ? null : url.Host switch
    {
        "127.0.0.1" => new LoopbackHandler(IPAddress.Loopback),
        "[::1]" => new LoopbackHandler(IPAddress.IPv6Loopback),
        _ => null,
    };

    /// <inheritdoc/>
    protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
        Task.FromResult(Send(request, cancellationToken));

    /// <inheritdoc/>
    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (OperatingSystem.IsLinux())
            {
                socket.SetRawSocketOption(TcpLevel, SynCount, [2, 0, 0, 0]);
            }

            socket.NoDelay = true;
            socket.Connect(new IPEndPoint(address, request.RequestUri!.Port));
            var unsent = Write(socket, request);
            try
            {
                return Read(new Received(socket));
            }
            catch (IOException exception) when (unsent is not null)
            {
                throw new HttpRequestException(exception.Message, unsent);
            }
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            throw new HttpRequestException(exception.Message, exception);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    // A gateway that refuses a body may answer and close the connection before it has read all of it.
    private static SocketException? Write(Socket socket, HttpRequestMessage request)
    {
        using var message = new MemoryStream();
        using var body = new MemoryStream();
        request.Content?.CopyTo(body, null, CancellationToken.None);
        var head = new StringBuilder()
            .Append(request.Method.Method).Append(' ').Append(request.RequestUri!.PathAndQuery).Append(" HTTP/1.1\r\nHost: ").Append(request.RequestUri.Authority)
            .Append("\r\nConnection: close\r\n");
        foreach (var (name, values) in request.Headers.NonValidated)
        {
            head.Append(name).Append(": ").Append(values.ToString()).Append("\r\n");
        }

        if (request.Content is { } content)
        {
            foreach (var (name, values) in content.Headers.NonValidated)
            {
                if (name != "Content-Length")
                {
                    head.Append(name).Append(": ").Append(values.ToString()).Append("\r\n");
                }
            }
        }

        if (request.Content is not null || request.Method != HttpMethod.Get)
        {
            head.Append("Content-Length: ").Append(body.Length.ToString(CultureInfo.InvariantCulture)).Append("\r\n");
        }

        message.Write(Encoding.Latin1.GetBytes(head.Append("\r\n").ToString()));
        body.WriteTo(message);
        try
        {
            for (var rest = message.GetBuffer().AsSpan(0, (int)message.Length); rest.Length > 0;)
            {
                rest = rest[socket.Send(rest)..];
            }

            return null;
        }
        catch (SocketException exception)
        {
            return exception;
        }
    }

    private static HttpResponseMessage Read(Received received)
    {
        var budget = MaxHead;
        int status;
        string? type;
        long? length;
        bool isChunked;
        do
        {
            status = Status(received.Line(ref budget));
            (type, length, isChunked) = (null, null, false);
            while (received.Line(ref budget) is { Length: > 0 } line)
            {
                var colon = line.IndexOf(':', StringComparison.Ordinal);
                var (name, value) = colon > 0 ? (line[..colon], line[(colon + 1)..].Trim()) : throw Malformed($"\"{Display.Plain(line)}\" is not a header");
                if (name.Equals("Content-Type", StringComparison.OrdinalIgnoreCase))
                {
                    type = value;
                }
                else if (name.Equals("Content-Length", StringComparison.OrdinalIgnoreCase))
                {
                    length = long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : throw Malformed($"its length is \"{Display.Plain(value)}\"");
                }
                else if (name.Equals("Transfer-Encoding", StringComparison.OrdinalIgnoreCase))
                {
                    isChunked = value.Equals("chunked", StringComparison.OrdinalIgnoreCase) ? true : throw Malformed($"its encoding is \"{Display.Plain(value)}\"");
                }
            }
        }
        while (status < 200);

        var content = new StreamContent(new Body(received, status is 204 or 304 ? 0 : isChunked ? null : length ?? long.MaxValue, isUntilTheEnd: length is null && !isChunked));
        if (type is not null)
        {
            content.Headers.TryAddWithoutValidation("Content-Type", type);
        }

        return new HttpResponseMessage((HttpStatusCode)status) { Content = content };
    }

    private static int Status(string line) =>
        line.StartsWith("HTTP/1.", StringComparison.Ordinal) && line.Length >= 12 && line[8] == ' '
        && int.TryParse(line.AsSpan(9, 3), NumberStyles.None, CultureInfo.InvariantCulture, out var status) && status >= 100
            ? status
            : throw Malformed($"it starts with \"{Display.Plain(line.Length > 40 ? $"{line[..40]}..." : line)}\"");

    private static HttpRequestException Malformed(string detail) => new($"the response is not HTTP: {detail}");

    /// <summary>What the gateway sends.</summary>
    private sealed class Received(Socket socket) : IDisposable
    {
        private readonly byte[] _buffer = new byte[16 * 1024];
        private int _start;
        private int _end;

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
                    throw Malformed($"its headers have more than {MaxHead} bytes");
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
                (_start, _end) = (0, socket.Receive(_buffer));
                return _end > 0;
            }
            catch (SocketException exception)
            {
                throw new IOException(exception.Message, exception);
            }
        }
    }

    private static IOException EndedEarly() => new("the connection ended before the response did");

    /// <summary>The body of a response.</summary>
    /// <param name="received">Where it is read from.</param>
    /// <param name="length">Its length, or null if it consists of chunks.</param>
    /// <param name="isUntilTheEnd">Whether it ends with the connection.</param>
    private sealed class Body(Received received, long? length, bool isUntilTheEnd) : Stream
    {
        private long _left = length ?? 0; // of the body, or of the chunk
        private bool _hasChunks = length is null;
        private bool _isFirstChunk = true;

        /// <inheritdoc/>
        public override bool CanRead => true;

        /// <inheritdoc/>
        public override bool CanSeek => false;

        /// <inheritdoc/>
        public override bool CanWrite => false;

        /// <inheritdoc/>
        public override long Length => throw new NotSupportedException();

        /// <inheritdoc/>
        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        /// <inheritdoc/>
        public override int Read(Span<byte> buffer)
        {
            if (_left == 0 && _hasChunks)
            {
                NextChunk();
            }

            if (_left == 0 || buffer.Length == 0)
            {
                return 0;
            }

            var count = received.Read(buffer[..(int)Math.Min(buffer.Length, _left)]);
            _left -= count;
            return count > 0 || isUntilTheEnd ? count : throw EndedEarly();
        }

        /// <inheritdoc/>
        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        /// <inheritdoc/>
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

        /// <inheritdoc/>
        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => Task.FromResult(Read(buffer, offset, count));

        /// <inheritdoc/>
        public override void Flush()
        {
        }

        /// <inheritdoc/>
        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        /// <inheritdoc/>
        public override void SetLength(long value) => throw new NotSupportedException();

        /// <inheritdoc/>
        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        /// <inheritdoc/>
        protected override void Dispose(bool disposing)
        {
            received.Dispose();
            base.Dispose(disposing);
        }

        private void NextChunk()
        {
            var budget = MaxHead;
            if (!_isFirstChunk && received.Line(ref budget).Length > 0)
            {
                throw new IOException("a chunk of the response is longer than it says");
            }

            _isFirstChunk = false;
            var size = received.Line(ref budget).Split(';')[0].Trim();
            if (size.Length > 15 || !long.TryParse(size, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _left))
            {
                throw new IOException($"the length of a chunk of the response is \"{Display.Plain(size)}\"");
            }

            if (_left == 0)
            {
                _hasChunks = false;
                while (received.Line(ref budget).Length > 0)
                {
                    // a trailer
                }
            }
        }
    }
}
