namespace MgbaBridge.Gateway.Hosting.HandOver;

/// <summary>Makes callers reconnect (<c>Connection: close</c>); the new connections go to the successor.</summary>
internal sealed class ConnectionDrain
{
    private volatile bool _begun;

    /// <summary>From now on every answer is the last on its connection.</summary>
    public void Begin() => _begun = true;

    /// <summary>Says so.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (_begun)
        {
            http.Response.Headers.Connection = "close";
        }

        return next(http);
    }
}
