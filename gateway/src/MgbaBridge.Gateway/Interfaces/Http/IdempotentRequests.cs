using Microsoft.Extensions.Primitives;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>The requests with a key and their answers: of bounded memory and age. The oldest answer goes first.</summary>
internal sealed class IdempotentRequests(long mostMemory, TimeSpan keep, TimeProvider time)
{
    // a key, a fingerprint, headers
    private const long Overhead = 1_024;

    private readonly Dictionary<string, IdempotentRequest> _byKey = [];
    private readonly Queue<IdempotentRequest> _answered = new();
    private readonly Lock _gate = new();
    private long _memory;

    /// <summary>With the limits of a gateway: answers are small, and a client repeats a request within seconds or, after an outage, minutes.</summary>
    public IdempotentRequests(TimeProvider time)
        : this(16_777_216, TimeSpan.FromHours(1), time)
    {
    }

    /// <summary>The bytes that answers take.</summary>
    public long Memory => Interlocked.Read(ref _memory);

    /// <summary>The request that has this key already; or this one, which then runs.</summary>
    public IdempotentRequest GetOrAdd(IdempotentRequest request, out bool isNew)
    {
        lock (_gate)
        {
            ForgetOld();
            isNew = _byKey.TryAdd(request.Key, request);
            return isNew ? request : _byKey[request.Key];
        }
    }

    /// <summary>It is answered; null when nothing was done.</summary>
    public void Complete(IdempotentRequest request, StoredResponse? answer)
    {
        lock (_gate)
        {
            if (answer is null)
            {
                _byKey.Remove(request.Key);
            }
            else
            {
                request.AnsweredAt = time.GetTimestamp();
                request.Memory = Overhead + answer.Body.Length;
                _memory += request.Memory;
                _answered.Enqueue(request);
                ForgetOld();
            }
        }

        request.Answer.SetResult(answer);
    }

    private void ForgetOld()
    {
        while (_answered.TryPeek(out var oldest) && (_memory > mostMemory || time.GetElapsedTime(oldest.AnsweredAt) > keep))
        {
            _answered.Dequeue();
            _memory -= oldest.Memory;
            _byKey.Remove(oldest.Key);
        }
    }
}

/// <summary>A request with a key: what it was, and its answer as soon as there is one.</summary>
/// <param name="Key">The caller's key, with the holder it belongs to.</param>
/// <param name="Fingerprint">A hash of the request.</param>
internal sealed record IdempotentRequest(string Key, string Fingerprint)
{
    /// <summary>The answer; null when nothing was done and the next one may try.</summary>
    public TaskCompletionSource<StoredResponse?> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>When it was answered.</summary>
    public long AnsweredAt { get; set; }

    /// <summary>About how many bytes it keeps.</summary>
    public long Memory { get; set; }
}

/// <summary>An answer that is given again.</summary>
/// <param name="Status">Its status.</param>
/// <param name="Headers">Its headers.</param>
/// <param name="Body">Its body.</param>
internal sealed record StoredResponse(int Status, IReadOnlyList<KeyValuePair<string, StringValues>> Headers, byte[] Body);
