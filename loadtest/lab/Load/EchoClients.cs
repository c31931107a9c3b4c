using System.Buffers.Binary;
using System.Diagnostics;

namespace MgbaBridge.Lab.Load;

/// <summary>Connections of one thread, each with one message in flight. Every echo is compared with its message.</summary>
internal sealed class EchoClients : IDisposable
{
    public const int MessageBytes = 36; // the message of the ladder

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    private readonly Poller _poller = new();
    private readonly List<LoopbackSocket> _sockets = [];
    private readonly long[] _turns;
    private readonly long[] _sentAt; // 0: nothing is in flight
    private readonly int[] _received;
    private readonly byte[] _message = new byte[MessageBytes];
    private readonly byte[] _buffer = new byte[MessageBytes];

    public EchoClients(int port, int count)
    {
        (_turns, _sentAt, _received) = (new long[count], new long[count], new int[count]);
        for (var i = 0; i < count; i++)
        {
            var socket = LoopbackSocket.Open(port, Timeout, out var error);
            _sockets.Add(socket);
            if (error != Errno.None)
            {
                Dispose();
                throw new MeasurementException($"connection {i + 1} of {count} failed: {error}");
            }

            _poller.Add(socket, i);
        }
    }

    public Samples Samples { get; } = new(2_000_000);

    /// <summary>Echoes that were not the message, and those that did not come.</summary>
    public long Wrong { get; private set; }

    /// <summary>Each connection sends the next message as soon as it has the echo.</summary>
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

    /// <summary>Each connection sends one message in each period, evenly spread; one whose echo is still missing sends none.</summary>
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
        Write(i);
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

        Write(i);
        Wrong += _buffer.AsSpan(0, count).SequenceEqual(_message.AsSpan(_received[i], count)) ? 0 : 1;
        _received[i] += count;
        if (_received[i] < MessageBytes)
        {
            return false;
        }

        Samples.Add(Stopwatch.GetTimestamp() - _sentAt[i]);
        (_received[i], _sentAt[i]) = (0, 0);
        _turns[i]++;
        return true;
    }

    private void Write(int i)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_message, _turns[i]);
        BinaryPrimitives.WriteInt32LittleEndian(_message.AsSpan(8), i);
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
