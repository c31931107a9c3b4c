using System.Text.Json;

namespace MgbaBridge.Gateway.Operations.Agents;

/// <summary>The file of an agent's run: what it called and reached, a line of JSON for each. A line is written at once, so that a run that is cut off has all before.</summary>
internal sealed class AgentRun
{
    /// <summary>The kind of file, in its first line.</summary>
    public const string Kind = "mgba-bridge agent run";

    /// <summary>The most bytes of a file; later lines are left out.</summary>
    public const long MaxBytes = 67_108_864;

    private readonly string _path;
    private readonly Action<string, Exception> _failed;
    private readonly Lock _gate = new();
    private long _bytes;
    private bool _isOver;

    private AgentRun(string path, Action<string, Exception> failed) => (_path, _failed) = (path, failed);

    /// <summary>Begins the file of an agent.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="agent">The agent.</param>
    /// <param name="failed">Called once if the file cannot be written; nothing more is written then.</param>
    public static AgentRun Begin(string folder, Agent agent, Action<string, Exception> failed)
    {
        var run = new AgentRun(Path.Combine(folder, $"{agent.Since.UtcDateTime:yyyyMMdd'T'HHmmss'Z'}-{agent.Id}.jsonl"), failed);
        run.Write(new RunLine { Kind = Kind, At = agent.Since, Agent = agent.Id, Client = agent.Client.Name, Version = agent.Client.Version });
        return run;
    }

    /// <summary>Writes a line.</summary>
    public void Write(RunLine line)
    {
        byte[] text = [.. JsonSerializer.SerializeToUtf8Bytes(line, AgentJson.Default.RunLine), (byte)'\n'];
        lock (_gate)
        {
            if (_isOver || _bytes + text.Length > MaxBytes)
            {
                return;
            }

            try
            {
                using var file = new FileStream(_path, FileMode.Append, FileAccess.Write, FileShare.Read);
                file.Write(text);
                _bytes += text.Length;
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                _isOver = true;
                _failed(_path, exception);
            }
        }
    }
}

/// <summary>A line of the file of a run: its beginning, a game that was seen, a call, or a milestone.</summary>
internal sealed record RunLine
{
    /// <summary>The kind of file; in the first line.</summary>
    public string? Kind { get; init; }

    /// <summary>When it was.</summary>
    public DateTimeOffset At { get; init; }

    /// <summary>The agent's id; in the first line.</summary>
    public string? Agent { get; init; }

    /// <summary>The name of its program; in the first line.</summary>
    public string? Client { get; init; }

    /// <summary>The version of its program; in the first line.</summary>
    public string? Version { get; init; }

    /// <summary>The title of a game with milestones; in the line of its first observation.</summary>
    public string? Game { get; init; }

    /// <summary>The points that the milestones of the game have together.</summary>
    public long? MaxPoints { get; init; }

    /// <summary>How many milestones the game has.</summary>
    public int? Milestones { get; init; }

    /// <summary>The milestones that held in that observation already.</summary>
    public IReadOnlyList<string>? Before { get; init; }

    /// <summary>The tool of a call.</summary>
    public string? Tool { get; init; }

    /// <summary>How a call ended.</summary>
    public AgentOutcome? Outcome { get; init; }

    /// <summary>How long a call took.</summary>
    public double? Milliseconds { get; init; }

    /// <summary>How many presses a call made.</summary>
    public long? Presses { get; init; }

    /// <summary>What a call did, or why it failed.</summary>
    public string? Detail { get; init; }

    /// <summary>The milestone that was reached.</summary>
    public string? Milestone { get; init; }

    /// <summary>Its points.</summary>
    public int? Points { get; init; }

    /// <summary>The emulator.</summary>
    public string? Emulator { get; init; }

    /// <summary>The frame.</summary>
    public long? Frame { get; init; }

    /// <summary>Reads a line; null when it is none.</summary>
    public static RunLine? Of(string text)
    {
        try
        {
            return JsonSerializer.Deserialize(text, AgentJson.Default.RunLine);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
