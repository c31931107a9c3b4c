using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Benchmark;

/// <summary>Connections that each send a request as soon as the last one is answered.</summary>
/// <param name="target">Where to.</param>
/// <param name="protocol">How.</param>
internal sealed class BenchmarkLoad(IPEndPoint target, BenchmarkProtocol protocol)
{
    private const int BufferSize = 4_096;

    private const int Attempts = 5;

    private static readonly TimeSpan ResponseTimeout = TimeSpan.FromSeconds(3);

    /// <summary>Measures.</summary>
    public async Task<BenchmarkResult> RunAsync(int connections, TimeSpan length, CancellationToken cancelled)
    {
        var clients = new List<Client>();
        try
        {
            // one after the other: the baseline script accepts a connection a frame
            while (clients.Count < connections)
            {
                clients.Add(await ConnectAsync(cancelled));
            }

            var end = Stopwatch.GetTimestamp() + (long)(length.TotalSeconds * Stopwatch.Frequency);
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
            limit.CancelAfter(length + ResponseTimeout);
            return ResultOf(await Task.WhenAll(clients.Select(client => Task.Run(() => client.RunAsync(end, limit.Token), cancelled))), length);
        }
        catch (OperationCanceledException) when (!cancelled.IsCancellationRequested)
        {
            throw new IOException($"a request was not answered within {ResponseTimeout.TotalSeconds} s");
        }
        finally
        {
            clients.ForEach(client => client.Dispose());
        }
    }

    // a connection beyond the script's queue seems open and is never answered
    private async Task<Client> ConnectAsync(CancellationToken cancelled)
    {
        for (var attempt = 1; ; attempt++)
        {
            var client = new Client(protocol);
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
            limit.CancelAfter(ResponseTimeout);
            try
            {
                await client.ConnectAsync(target, limit.Token);
                return client;
            }
            catch (Exception exception) when (!cancelled.IsCancellationRequested && attempt < Attempts && exception is OperationCanceledException or SocketException or IOException)
            {
                client.Dispose();
            }
        }
    }

    private static BenchmarkResult ResultOf(IReadOnlyList<ClientResult> clients, TimeSpan length)
    {
        double[] times = [.. clients.SelectMany(client => client.Times).Order()];
        if (times.Length == 0)
        {
            throw new IOException("no request was answered");
        }

        // frames over the whole run: from the first response of any client to the last one
        var answered = clients.Where(client => client.Times.Count > 0).ToArray();
        var (first, last) = (answered.MinBy(client => client.FirstAt), answered.MaxBy(client => client.LastAt));
        var seconds = Stopwatch.GetElapsedTime(first.FirstAt, last.LastAt).TotalSeconds;
        return new BenchmarkResult(
            times.Length / length.TotalSeconds, times[times.Length / 2], times[times.Length * 99 / 100], seconds > 0 ? (last.LastFrame - first.FirstFrame) / seconds : 0);
    }

    /// <summary>One connection.</summary>
    private sealed class Client(BenchmarkProtocol protocol) : IDisposable
    {
        private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        private readonly byte[] _buffer = new byte[BufferSize];
        private int _filled;

        public void Dispose() => _socket.Dispose();

        public async Task ConnectAsync(IPEndPoint target, CancellationToken cancelled)
        {
            await _socket.ConnectAsync(target, cancelled);
            await RequestAsync(cancelled);
        }

        public async Task<ClientResult> RunAsync(long end, CancellationToken cancelled)
        {
            var times = new List<double>();
            var result = new ClientResult(times, 0, 0, 0, 0);
            for (var sent = Stopwatch.GetTimestamp(); sent < end; sent = Stopwatch.GetTimestamp())
            {
                var frame = await RequestAsync(cancelled);
                var now = Stopwatch.GetTimestamp();
                times.Add(Stopwatch.GetElapsedTime(sent, now).TotalMilliseconds);
                result = result with { LastAt = now, LastFrame = frame };
                result = times.Count == 1 ? result with { FirstAt = now, FirstFrame = frame } : result;
            }

            return result;
        }

        /// <summary>Sends a request and waits for its response. Returns the frame.</summary>
        private async Task<long> RequestAsync(CancellationToken cancelled)
        {
            await _socket.SendAsync(protocol.Request, cancelled);
            int response;
            while ((response = protocol.LengthOf(_buffer.AsSpan(0, _filled))) == 0)
            {
                var count = await _socket.ReceiveAsync(_buffer.AsMemory(_filled), cancelled);
                _filled += count > 0 ? count : throw new IOException("the connection was closed");
            }

            var frame = protocol.FrameOf(_buffer.AsSpan(0, response));
            _buffer.AsSpan(response, _filled - response).CopyTo(_buffer);
            _filled -= response;
            return frame;
        }
    }

    private readonly record struct ClientResult(List<double> Times, long FirstAt, long FirstFrame, long LastAt, long LastFrame);
}
