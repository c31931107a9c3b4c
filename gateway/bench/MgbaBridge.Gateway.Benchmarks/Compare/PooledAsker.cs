using System.Collections.Concurrent;

namespace MgbaBridge.Gateway.Benchmarks.Compare;

/// <summary>
/// Connections that are used again, as the original's version 5: a request takes one that is free or opens another, and gives it back, when no more than
/// <paramref name="kept"/> are there already. Nothing bounds how many are open at once; one that failed is not given back.
/// </summary>
internal sealed class PooledAsker(int port, int kept) : IPlainAsker
{
    private readonly ConcurrentBag<PlainConnection> _free = [];

    public async Task<byte[]> AskAsync(ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        if (!_free.TryTake(out var connection))
        {
            connection = await PlainConnection.OpenAsync(port, cancel);
        }
        try
        {
            var answer = await connection.AskAsync(message, cancel);
            GiveBack(connection);
            return answer;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private void GiveBack(PlainConnection connection)
    {
        if (_free.Count < kept)
        {
            _free.Add(connection);
        }
        else
        {
            connection.Dispose();
        }
    }
}
