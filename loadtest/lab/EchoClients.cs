using System.Buffers.Binary;
using System.Diagnostics;

namespace MgbaBridge.Lab;

/// <summary>Persistent connections of one thread, each with one message in flight. Every echo is compared with its message.</summary>
internal sealed class EchoClients : IDisposable
{
    public const int MessageBytes = 36; // the id of the original load test

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    private readonly Poller _poller = new();
    private readonly List<LoopbackSocket> _sockets = [];
    private readonly long[] _turns;
    private readonly long[] _sentAt;
    private readonly int[] _received;
    private readonly byte[] _message = new byte[MessageBytes];
    private readonly byte[] _buffer = new byte[MessageBytes];

    public EchoClients(int port, int count)
    {
        _turns = new long[count];
        _sentAt = new long[count];
        _received = new int[count];
        for (var i = 0; i < count; i++)
        {
            var socket = LoopbackSocket.Open(port, Timeout, out var error);
            if (error != Errno.None)
            {
                throw new MeasurementException($"connection {i + 1} of {count} failed: {error}");
            }
            _sockets.Add(socket);
            _poller.Add(socket, i);
        }
    }

    public Samples Samples { get; } = new(4_000_000);
    public long Answered { get; private set; }
    public long Wrong { get; private set; }

    /// <summary>Each connection sends the next message as soon as it has received the echo.</summary>
    public void RunBackToBack(TimeSpan length)
    {
        for (var i = 0; i < _sockets.Count; i++)
        {
            Send(i);
        }
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < length;)
        {
            Serve(100, sendNext: true);
        }
        Drain();
    }

    /// <summary>Each connection sends one message per period, evenly spread. Skips a connection whose echo is outstanding.</summary>
    public void RunPaced(TimeSpan length, TimeSpan period)
    {
        var clock = Stopwatch.StartNew();
        for (long turn = 0; clock.Elapsed < length; Serve(1, sendNext: false))
        {
            for (var due = (long)(clock.Elapsed / period * _sockets.Count); turn < due; turn++)
            {
                var i = (int)(turn % _sockets.Count);
                if (_sentAt[i] == 0)
                {
                    Send(i);
                }
            }
        }
        Drain();
    }

    public void Dispose()
    {
        _sockets.ForEach(socket => socket.Dispose());
        _poller.Dispose();
    }

    private void Send(int i)
    {
        Write(_message, i);
        _sentAt[i] = Stopwatch.GetTimestamp();
        _sockets[i].Send(_message, out _);
    }

    private void Serve(int milliseconds, bool sendNext)
    {
        var ready = _poller.Wait(milliseconds);
        for (var n = 0; n < ready; n++)
        {
            var i = _poller.Ready(n);
            if (Take(i) && sendNext)
            {
                Send(i);
            }
        }
    }

    private bool Take(int i)
    {
        var count = _sockets[i].Receive(_buffer, out var error);
        if (count == 0)
        {
            throw new MeasurementException($"the server closed a connection ({error})");
        }
        Write(_message, i);
        Wrong += _buffer.AsSpan(0, count).SequenceEqual(_message.AsSpan(_received[i], count)) ? 0 : 1;
        _received[i] += count;
        if (_received[i] < MessageBytes)
        {
            return false;
        }
        Samples.Add(Stopwatch.GetTimestamp() - _sentAt[i]);
        Answered++;
        _received[i] = 0;
        _sentAt[i] = 0;
        _turns[i]++;
        return true;
    }

    private void Write(Span<byte> message, int i)
    {
        BinaryPrimitives.WriteInt64LittleEndian(message, _turns[i]);
        BinaryPrimitives.WriteInt32LittleEndian(message[8..], i);
    }

    private void Drain()
    {
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < Timeout && Array.Exists(_sentAt, sent => sent != 0);)
        {
            Serve(100, sendNext: false);
        }
        Wrong += _sentAt.Count(sent => sent != 0);
    }
}
