namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// Reads what programs print. Their pipes are read by the thread of the sockets, which must not wait for what the text causes, such as the start of another
/// program: what follows runs on other threads.
/// </summary>
internal static class ProgramOutput
{
    /// <summary>Reads some characters; none at the end.</summary>
    public static async Task<int> ReadAsync(TextReader output, Memory<char> buffer, CancellationToken cancellationToken)
    {
        try
        {
            return await output.ReadAsync(buffer, cancellationToken);
        }
        finally
        {
            await Task.Yield();
        }
    }

    /// <summary>Reads to the end.</summary>
    public static async Task<string> ReadToEndAsync(TextReader output, CancellationToken cancellationToken)
    {
        try
        {
            return await output.ReadToEndAsync(cancellationToken);
        }
        finally
        {
            await Task.Yield();
        }
    }
}
