namespace MgbaBridge.Gateway.Endpoints.Conventions;

/// <summary>The requests with a key and their answers: of bounded memory and age. The oldest answer goes first.</summary>
internal sealed class KeyedRequests(long mostMemory, TimeSpan keep, TimeProvider time)
{
    // a key, a fingerprint, headers
    private const long Overhead = 1_024;

    private readonly Dictionary<string, KeyedRequest> _byKey = [];
    private readonly Queue<KeyedRequest> _answered = new();
    private readonly Lock _gate = new();
    private long _memory;

    /// <summary>The bytes that answers take.</summary>
    public long Memory => Interlocked.Read(ref _memory);

    /// <summary>The request that has this key already; or this one, which then runs.</summary>
    public KeyedRequest GetOrAdd(KeyedRequest request, out bool isNew)
    {
        lock (_gate)
        {
            ForgetOld();
            isNew = _byKey.TryAdd(request.Key, request);
            return isNew ? request : _byKey[request.Key];
        }
    }

    /// <summary>It is answered; null when nothing was done.</summary>
    public void Complete(KeyedRequest request, KeptAnswer? answer)
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
