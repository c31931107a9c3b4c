namespace MgbaBridge.Gateway.Benchmarks.Designs;

/// <summary>Sends messages to the baseline script and receives the answers, in one of the designs of the original.</summary>
internal interface IBaselineClient
{
    Task<byte[]> SendAsync(ReadOnlyMemory<byte> message, CancellationToken cancel);
}

/// <summary>Opens a connection for each request, as version 4 of the original did.</summary>
internal sealed class ConnectPerRequestClient(int port) : IBaselineClient
{
    public async Task<byte[]> SendAsync(ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        using var connection = await BaselineConnection.OpenAsync(port, cancel);
        return await connection.SendAsync(message, cancel);
    }
}

/// <summary>Limits the number of concurrent requests; the others wait.</summary>
internal sealed class BoundedClient(IBaselineClient client, int limit) : IBaselineClient, IDisposable
{
    private readonly SemaphoreSlim _free = new(limit);

    public async Task<byte[]> SendAsync(ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        await _free.WaitAsync(cancel);
        try
        {
            return await client.SendAsync(message, cancel);
        }
        finally
        {
            _free.Release();
        }
    }

    public void Dispose() => _free.Dispose();
}
