using System.Buffers.Binary;
using System.Diagnostics;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>Lasting connections of one client thread, each with one message under way; what comes back is compared.</summary>
internal sealed class EchoFleet : IDisposable
{
    public const int MessageBytes = 36; // the original's unique id

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private readonly Poller _poller = new();
    private readonly List<WireSocket> _sockets = [];
    private readonly long[] _turns;
    private readonly long[] _sentAt;
    private readonly int[] _received;
    private readonly byte[] _message = new byte[MessageBytes];
    private readonly byte[] _buffer = new byte[MessageBytes];

    public EchoFleet(int port, int count)
    {
        _turns = new long[count];
        _sentAt = new long[count];
        _received = new int[count];
        for (var i = 0; i < count; i++)
        {
            var socket = WireSocket.Open(port, Patience, out var error);
            if (error != Errno.None)
            {
                throw new WireException($"connection {i + 1} of {count} failed: {error}");
            }
            _sockets.Add(socket);
            _poller.Add(socket, i);
        }
    }

    public Samples Samples { get; } = new(4_000_000);
    public long Answered { get; private set; }
    public long Wrong { get; private set; }

    /// <summary>Each asks again as soon as it is answered.</summary>
    public void RunBackToBack(TimeSpan length)
    {
        for (var i = 0; i < _sockets.Count; i++)
        {
            Ask(i);
        }
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < length;)
        {
            Serve(100, askAgain: true);
        }
        Drain();
    }

    /// <summary>Each asks once a period, spread evenly; one whose answer is still out is passed over.</summary>
    public void RunPaced(TimeSpan length, TimeSpan period)
    {
        var clock = Stopwatch.StartNew();
        for (long turn = 0; clock.Elapsed < length; Serve(1, askAgain: false))
        {
            for (var due = (long)(clock.Elapsed / period * _sockets.Count); turn < due; turn++)
            {
                var i = (int)(turn % _sockets.Count);
                if (_sentAt[i] == 0)
                {
                    Ask(i);
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

    private void Ask(int i)
    {
        Write(_message, i);
        _sentAt[i] = Stopwatch.GetTimestamp();
        _sockets[i].Send(_message, out _);
    }

    private void Serve(int milliseconds, bool askAgain)
    {
        var ready = _poller.Wait(milliseconds);
        for (var n = 0; n < ready; n++)
        {
            var i = _poller.Ready(n);
            if (Take(i) && askAgain)
            {
                Ask(i);
            }
        }
    }

    private bool Take(int i)
    {
        var count = _sockets[i].Receive(_buffer, out var error);
        if (count == 0)
        {
            throw new WireException($"the server broke a connection off ({error})");
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
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < Patience && Array.Exists(_sentAt, sent => sent != 0);)
        {
            Serve(100, askAgain: false);
        }
        Wrong += _sentAt.Count(sent => sent != 0);
    }
}
