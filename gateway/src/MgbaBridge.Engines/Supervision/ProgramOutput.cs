namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// Reads what programs print. Their pipes are read by the thread of the sockets, which must not wait for what the text causes, such as the start of another
/// program: what follows runs on other threads.
/// </summary>
internal static class ProgramOutput
{
    /// <summary>Waits for what is read.</summary>
    public static async Task<T> OfAsync<T>(Task<T> reading)
    {
        try
        {
            return await reading;
        }
        finally
        {
            await Task.Yield();
        }
    }
}
