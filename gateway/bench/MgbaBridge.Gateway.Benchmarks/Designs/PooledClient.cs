using System.Collections.Concurrent;

namespace MgbaBridge.Gateway.Benchmarks.Designs;

/// <summary>
/// Reuses connections, as version 5 of the original did: a request takes an idle connection or opens another one, and returns it to the pool unless
/// <paramref name="kept"/> connections are idle already. The number of open connections is not limited. Failed connections are closed.
/// </summary>
internal sealed class PooledClient(int port, int kept) : IBaselineClient
{
    private readonly ConcurrentBag<BaselineConnection> _idle = [];

    public async Task<byte[]> SendAsync(ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        if (!_idle.TryTake(out var connection))
        {
            connection = await BaselineConnection.OpenAsync(port, cancel);
        }
        try
        {
            var answer = await connection.SendAsync(message, cancel);
            Return(connection);
            return answer;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private void Return(BaselineConnection connection)
    {
        if (_idle.Count < kept)
        {
            _idle.Add(connection);
        }
        else
        {
            connection.Dispose();
        }
    }
}
