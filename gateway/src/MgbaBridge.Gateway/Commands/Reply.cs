using System.Buffers;
using MgbaBridge.Gateway.Protocol;
using Microsoft.Extensions.ObjectPool;

namespace MgbaBridge.Gateway.Commands;

/// <summary>
/// What came back: values and a tail, or a failure. It owns its buffers and goes back to a pool: dispose it once, and keep nothing it
/// handed out.
/// </summary>
public sealed class Reply : IDisposable
{
    /// <summary>Bytes from which the work on a reply's tail, or on a body, is no matter of microseconds any more.</summary>
    internal const int LongFrom = 8_192;

    private const int Small = 1_024;

    private static readonly ObjectPool<Reply> Pool = new DefaultObjectPool<Reply>(new Policy(), maximumRetained: 1_024);

    private readonly byte[] _small = new byte[Small];
    private byte[]? _largeValues;
    private byte[]? _largeTail;
    private int _valuesLength;
    private int _tailLength;
    private int _rented;

    private Reply()
    {
    }

    /// <summary>What went wrong, or null when the script said <c>ok</c>.</summary>
    public FailureReport? Failure { get; private set; }

    /// <summary>The script's frame count when it ran. 0 when no answer came.</summary>
    public long Frame { get; private set; }

    /// <summary>The script's epoch when it ran. 0 when no answer came.</summary>
    public uint Epoch { get; private set; }

    /// <summary>The values after <c>ok</c>, to be walked over.</summary>
    public ValueReader Values => new((_largeValues ?? _small).AsSpan(0, _valuesLength));

    /// <summary>The raw bytes that came with it; empty if none.</summary>
    public ReadOnlyMemory<byte> Tail => TailSpace;

    /// <summary>Where the tail is received into.</summary>
    internal Memory<byte> TailSpace =>
        _largeTail is not null ? _largeTail.AsMemory(0, _tailLength) : _small.AsMemory(ValuesInSmall, _tailLength);

    private int ValuesInSmall => _largeValues is null ? _valuesLength : 0;

    /// <summary>Gives the buffers back.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _rented, 0) == 1)
        {
            Pool.Return(this);
        }
    }

    /// <summary>A reply that is a failure.</summary>
    internal static Reply Failed(FailureReport failure, long frame = 0, uint epoch = 0)
    {
        var reply = Rent(frame, epoch);
        reply.Failure = failure;
        return reply;
    }

    /// <summary>A reply from the script. Its tail, of <paramref name="tailLength"/> bytes, is filled in by the connection.</summary>
    internal static Reply Answered(long frame, uint epoch, ReadOnlySpan<byte> values, int tailLength)
    {
        var reply = Rent(frame, epoch);
        if (values.Length > Small)
        {
            reply._largeValues = ArrayPool<byte>.Shared.Rent(values.Length);
        }

        values.CopyTo(reply._largeValues ?? reply._small);
        reply._valuesLength = values.Length;
        reply._tailLength = tailLength;
        if (tailLength > Small - reply.ValuesInSmall)
        {
            reply._largeTail = ArrayPool<byte>.Shared.Rent(tailLength);
        }

        return reply;
    }

    private static Reply Rent(long frame, uint epoch)
    {
        var reply = Pool.Get();
        reply._rented = 1;
        reply.Frame = frame;
        reply.Epoch = epoch;
        return reply;
    }

    private void Clear()
    {
        Failure = null;
        _valuesLength = 0;
        _tailLength = 0;
        if (_largeValues is not null)
        {
            ArrayPool<byte>.Shared.Return(_largeValues);
            _largeValues = null;
        }

        if (_largeTail is not null)
        {
            ArrayPool<byte>.Shared.Return(_largeTail);
            _largeTail = null;
        }
    }

    private sealed class Policy : PooledObjectPolicy<Reply>
    {
        public override Reply Create() => new();

        public override bool Return(Reply obj)
        {
            obj.Clear();
            return true;
        }
    }
}

/// <summary>The script answered <c>ok</c> with values that the command does not have: one of the two sides is wrong about the protocol.</summary>
public sealed class UnexpectedReplyException(CommandDescriptor row)
    : Exception($"The script's reply to {row.Name} does not have the form that docs/protocol.md gives it. Update the older of gateway and script.")
{
    /// <summary>The command that was answered.</summary>
    public CommandDescriptor Descriptor { get; } = row;
}
