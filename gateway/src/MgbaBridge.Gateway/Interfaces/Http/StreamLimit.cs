using System.Net;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>How many streams (events, pictures, WebSockets) each caller keeps open.</summary>
internal sealed class StreamLimit(int perCaller)
{
    private readonly Dictionary<IPAddress, int> _open = [];
    private readonly Lock _gate = new();

    /// <summary>Counts a stream until the lease is disposed. Null when the caller has as many as it may: then the response is 429.</summary>
    public static async ValueTask<Lease?> EnterAsync(HttpContext http)
    {
        var limit = http.RequestServices.GetRequiredService<StreamLimit>();
        if (limit.TryEnter(CallerAddress.Of(http)) is { } lease)
        {
            return lease;
        }

        http.Response.Headers.RetryAfter = "1";
        await Problems.WriteAsync(http, FailureKind.TooManyRequests, $"{limit.PerCaller} streams and WebSockets of {CallerAddress.Of(http)} are open (Bridge:Http:MaxStreamsPerCaller). Close some.");
        return null;
    }

    /// <summary>The limit.</summary>
    public int PerCaller { get; } = perCaller;

    /// <summary>Counts a stream of <paramref name="caller"/>, or returns null at the limit.</summary>
    public Lease? TryEnter(IPAddress caller)
    {
        lock (_gate)
        {
            var open = _open.GetValueOrDefault(caller);
            if (open >= PerCaller)
            {
                return null;
            }

            _open[caller] = open + 1;
        }

        return new Lease(this, caller);
    }

    private void Leave(IPAddress caller)
    {
        lock (_gate)
        {
            if (_open[caller] == 1)
            {
                _open.Remove(caller);
            }
            else
            {
                _open[caller]--;
            }
        }
    }

    /// <summary>A stream that is counted.</summary>
    public sealed class Lease : IDisposable
    {
        private readonly IPAddress _caller;
        private StreamLimit? _limit;

        internal Lease(StreamLimit limit, IPAddress caller) => (_limit, _caller) = (limit, caller);

        public void Dispose() => Interlocked.Exchange(ref _limit, null)?.Leave(_caller);
    }
}
