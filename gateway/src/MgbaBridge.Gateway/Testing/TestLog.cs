using System.Globalization;

namespace MgbaBridge.Gateway.Testing;

/// <summary>What an emulator has printed: its newest lines.</summary>
internal sealed class TestLog
{
    /// <summary>The most characters of a line.</summary>
    public const int LongestLine = 65_536;

    private const int MaxLines = 10_000;
    private const string Listening = "listening on";

    // as mgba-headless prints it
    private const string Stopped = "mgba-headless: the game stopped";
    private const string Crashed = "mgba-headless: the game crashed";
    private const string MeasuredLine = "mgba-headless: measured ";

    private readonly Lock _gate = new();
    private readonly Queue<string> _lines = [];
    private readonly TaskCompletionSource _listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<string> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private string? _marker;
    private (long Count, long Least, long Most) _measured;
    private TaskCompletionSource _marked = new();

    /// <summary>Completes when the script listens.</summary>
    public Task ScriptListens => _listening.Task;

    /// <summary>Completes when the game runs no frames any more, with a sentence about it.</summary>
    public Task<string> GameEnded => _ended.Task;

    /// <summary>The lines.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_gate)
            {
                return [.. _lines];
            }
        }
    }

    /// <summary>The last line; null for none.</summary>
    public string? LastLine => Lines is [.., var last] ? last : null;

    /// <summary>What was measured last: how often, and the least and the most cycles.</summary>
    public (long Count, long Least, long Most) Measured
    {
        get
        {
            lock (_gate)
            {
                return _measured;
            }
        }
    }

    /// <summary>Forgets all lines.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _lines.Clear();
        }
    }

    /// <summary>Completes when a line has this text, which is not kept.</summary>
    public Task MarkAsync(string marker)
    {
        lock (_gate)
        {
            (_marker, _marked) = (marker, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            return _marked.Task;
        }
    }

    /// <summary>Adds a line.</summary>
    public void Add(string line)
    {
        lock (_gate)
        {
            if (_marker is not null && line.Contains(_marker, StringComparison.Ordinal))
            {
                _marked.TrySetResult();
                return;
            }

            if (line.StartsWith(MeasuredLine, StringComparison.Ordinal) && line[MeasuredLine.Length..].Split(' ') is [var count, var least, var most])
            {
                _measured = (Number(count), Number(least), Number(most));
                return;
            }

            if (line.Contains(Listening, StringComparison.Ordinal))
            {
                _listening.TrySetResult();
            }

            if (line.StartsWith(Stopped, StringComparison.Ordinal))
            {
                _ended.TrySetResult("The game stopped its machine, so that no frame runs.");
            }
            else if (line.StartsWith(Crashed, StringComparison.Ordinal))
            {
                _ended.TrySetResult("The game crashed.");
            }

            _lines.Enqueue(line);
            if (_lines.Count > MaxLines)
            {
                _lines.Dequeue();
            }
        }
    }

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);
}
