using System.Text;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Reads lines of bounded length from a program's output.</summary>
internal static class LineReader
{
    /// <summary>Reads until the end, and passes each line on; of a longer line only the first <paramref name="most"/> characters.</summary>
    public static async Task ReadAsync(TextReader reader, int most, Action<string> take)
    {
        var buffer = new char[1_024];
        var line = new StringBuilder();
        for (int count; (count = await ReadSomeAsync(reader, buffer)) > 0;)
        {
            foreach (var letter in buffer.AsSpan(0, count))
            {
                if (letter == '\n')
                {
                    take(line.ToString().TrimEnd('\r'));
                    line.Clear();
                }
                else if (line.Length < most)
                {
                    line.Append(letter);
                }
            }
        }

        if (line.Length > 0)
        {
            take(line.ToString());
        }
    }

    private static async Task<int> ReadSomeAsync(TextReader reader, char[] buffer)
    {
        try
        {
            return await ProgramOutput.OfAsync(reader.ReadAsync(buffer.AsMemory()).AsTask());
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or OperationCanceledException)
        {
            return 0;
        }
    }
}
