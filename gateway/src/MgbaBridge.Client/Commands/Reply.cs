using System.Buffers;
using MgbaBridge.Client.Protocol;
using Microsoft.Extensions.ObjectPool;

namespace MgbaBridge.Client.Commands;

/// <summary>
/// A reply: values and a tail, or a failure. It is pooled and owns its buffers: dispose it once, and do not use what it returned
/// afterwards.
/// </summary>
public sealed class Reply : IDisposable
{
    /// <summary>The size from which processing a tail or a body takes longer than some microseconds.</summary>
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

    /// <summary>The failure, or null if the script replied <c>ok</c>.</summary>
    public CommandFailure? Failure { get; private set; }

    /// <summary>The script's frame count when the command ran; 0 without a reply.</summary>
    public long Frame { get; private set; }

    /// <summary>The script's epoch when the command ran; 0 without a reply.</summary>
    public Epoch Epoch { get; private set; }

    /// <summary>The values after <c>ok</c>.</summary>
    public ValueReader Values => new((_largeValues ?? _small).AsSpan(0, _valuesLength));

    /// <summary>The integer that the values begin with.</summary>
    /// <exception cref="UnexpectedReplyException">They begin with none.</exception>
    internal long ReadInteger(CommandDescriptor command)
    {
        var values = Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(command);
    }

    /// <summary>The tail; empty for none.</summary>
    public ReadOnlyMemory<byte> Tail => TailSpace;

    /// <summary>The bytes of memory that its buffers take.</summary>
    internal int Size => Small + (_largeValues?.Length ?? 0) + (_largeTail?.Length ?? 0);

    /// <summary>The destination for receiving the tail.</summary>
    internal Memory<byte> TailSpace =>
        _largeTail is not null ? _largeTail.AsMemory(0, _tailLength) : _small.AsMemory(ValuesInSmall, _tailLength);

    private int ValuesInSmall => _largeValues is null ? _valuesLength : 0;

    /// <summary>The reply itself, unless it is a failure.</summary>
    /// <exception cref="RequestFailedException">It is a failure. The reply is disposed.</exception>
    public Reply EnsureSuccess()
    {
        if (Failure is not { } failure)
        {
            return this;
        }

        Dispose();
        throw new RequestFailedException(failure);
    }

    /// <summary>Returns the buffers.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _rented, 0) == 1)
        {
            Pool.Return(this);
        }
    }

    /// <summary>Creates a failure.</summary>
    internal static Reply Failed(CommandFailure failure, long frame = 0, Epoch epoch = default)
    {
        var reply = Rent(frame, epoch);
        reply.Failure = failure;
        return reply;
    }

    /// <summary>Replaces the text of the failure by one that says more.</summary>
    internal void Explain(string detail) => Failure = Failure! with { Detail = detail };

    /// <summary>A reply from the script. Its tail, of <paramref name="tailLength"/> bytes, is filled in by the connection.</summary>
    internal static Reply Answered(long frame, Epoch epoch, ReadOnlySpan<byte> values, int tailLength)
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

    private static Reply Rent(long frame, Epoch epoch)
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

/// <summary>A request failed: <see cref="Reply.EnsureSuccess"/>.</summary>
public sealed class RequestFailedException(CommandFailure failure) : Exception(failure.Detail)
{
    /// <summary>What happened, and whether the command may have run.</summary>
    public CommandFailure Failure { get; } = failure;
}

/// <summary>The script replied <c>ok</c> with unexpected values: script and gateway disagree about the protocol.</summary>
public sealed class UnexpectedReplyException(CommandDescriptor row)
    : Exception($"The script's reply to {row.Name} does not have the form that docs/protocol.md gives it. Update the older of gateway and script.")
{
    /// <summary>The command that was answered.</summary>
    public CommandDescriptor Descriptor { get; } = row;
}
