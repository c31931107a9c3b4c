namespace MgbaBridge.Gateway.Benchmarks.Compare;

/// <summary>A new connection for each request, as the original's version 4.</summary>
internal sealed class FreshAsker(int port) : IPlainAsker
{
    public async Task<byte[]> AskAsync(ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        using var connection = await PlainConnection.OpenAsync(port, cancel);
        return await connection.AskAsync(message, cancel);
    }
}
