namespace MgbaBridge.Gateway.Benchmarks.Compare;

/// <summary>At most so many requests at once; the others wait for their turn.</summary>
internal sealed class BoundedAsker(IPlainAsker asker, int most) : IPlainAsker, IDisposable
{
    private readonly SemaphoreSlim _places = new(most);

    public async Task<byte[]> AskAsync(ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        await _places.WaitAsync(cancel);
        try
        {
            return await asker.AskAsync(message, cancel);
        }
        finally
        {
            _places.Release();
        }
    }

    public void Dispose() => _places.Dispose();
}
