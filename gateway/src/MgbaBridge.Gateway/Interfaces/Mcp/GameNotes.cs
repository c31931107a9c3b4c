using System.Text;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>What agents have noted about games: a text file for each game, by the CRC32 of its ROM, in the gateway's data folder.</summary>
/// <param name="data">Where the files are.</param>
internal sealed class GameNotes(DataFolder data)
{
    // agents cannot choose the name of a file, but they can change the game
    private const int MaxGames = 1_000;

    // bytes about one game: an agent reads all of them when it begins
    private const int MaxNotes = 65_536;

    private readonly Lock _gate = new();

    /// <summary>The notes about a game; empty for none.</summary>
    /// <exception cref="ToolException">They cannot be read.</exception>
    public string Read(long crc32)
    {
        lock (_gate)
        {
            return Do(() => File.Exists(FileOf(crc32)) ? File.ReadAllText(FileOf(crc32)) : "");
        }
    }

    /// <summary>Replaces the notes about a game, or adds to them. Returns the whole.</summary>
    /// <exception cref="ToolException">They would be too long, or cannot be written.</exception>
    public string Write(long crc32, string text, bool append)
    {
        lock (_gate)
        {
            var before = append ? Read(crc32) : "";
            var whole = before.Length == 0 || before.EndsWith('\n') ? before + text : $"{before}\n{text}";
            var bytes = Encoding.UTF8.GetBytes(whole);
            if (bytes.Length > MaxNotes)
            {
                throw new ToolException($"The notes about this game would have {bytes.Length} bytes; at most {MaxNotes} are kept.", "replace them by a shorter version (action replace).");
            }

            return Do(() =>
            {
                var file = FileOf(crc32);
                if (!File.Exists(file) && Directory.EnumerateFiles(Path.GetDirectoryName(file)!).Count() >= MaxGames)
                {
                    throw new ToolException($"There are notes about {MaxGames} games.", "ask the person to delete files in the folder notes of the gateway's data folder.");
                }

                DataFolder.WriteAtomically(file, bytes);
                return whole;
            });
        }
    }

    private static string Do(Func<string> work)
    {
        try
        {
            return work();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ToolException($"The notes cannot be used: {exception.Message}", "continue without notes, and inform the person.");
        }
    }

    private string FileOf(long crc32) => Path.Combine(data.Below("notes"), FormattableString.Invariant($"{(uint)crc32:X8}.md"));
}
