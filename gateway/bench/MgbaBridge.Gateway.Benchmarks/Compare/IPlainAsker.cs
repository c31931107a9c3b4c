namespace MgbaBridge.Gateway.Benchmarks.Compare;

/// <summary>One of the original's ways to bring a message to the plain script and its answer back.</summary>
internal interface IPlainAsker
{
    Task<byte[]> AskAsync(ReadOnlyMemory<byte> message, CancellationToken cancel);
}
