using System.Text;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Supervision;

/// <summary>What an emulator prints: the last lines in memory, and a file of bounded size with one older file.</summary>
internal sealed class OutputLog : IDisposable
{
    /// <summary>The longest line that is kept; the rest of it is dropped.</summary>
    public const int MaxLine = 1_000;

    /// <summary>How many lines are kept in memory.</summary>
    public const int KeptLines = 200;

    private const int MaxCrashLogs = 5;
    private const long MaxFile = 1_048_576;

    private readonly Queue<string> _lines = new();
    private readonly Lock _gate = new();
    private readonly string _folder;
    private readonly string _file;
    private StreamWriter? _writer;

    /// <summary>Begins the log in a folder.</summary>
    public OutputLog(string folder)
    {
        _folder = folder;
        _file = Path.Combine(folder, "emulator.log");
        _writer = Open(append: true);
    }

    /// <summary>The last lines, oldest first.</summary>
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

    /// <summary>Adds a line.</summary>
    public void Add(string line)
    {
        lock (_gate)
        {
            _lines.Enqueue(line);
            if (_lines.Count > KeptLines)
            {
                _lines.Dequeue();
            }

            if (_writer is { BaseStream.Length: > MaxFile })
            {
                Close();
                _writer = TryMove() ? Open(append: false) : null;
            }

            TryWrite(line);
        }
    }

    /// <summary>Writes the last lines into a file of their own, and returns its path; null when that is not possible.</summary>
    public string? KeepCrash(DateTimeOffset at, string reason)
    {
        try
        {
            var file = Path.Combine(_folder, FormattableString.Invariant($"crash-{at.UtcDateTime:yyyyMMdd'T'HHmmssfff}.log"));
            DataFolder.WriteAtomically(file, Encoding.UTF8.GetBytes(string.Concat(Lines.Prepend(reason).Select(line => $"{line}\n"))));
            foreach (var old in Directory.GetFiles(_folder, "crash-*.log").OrderDescending(StringComparer.Ordinal).Skip(MaxCrashLogs))
            {
                File.Delete(old);
            }

            return file;
        }
        catch (Exception exception) when (IsOfTheDisk(exception))
        {
            return null;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            Close();
        }
    }

    // .NET reports a file that is larger than allowed (EFBIG) as ArgumentOutOfRangeException
    private static bool IsOfTheDisk(Exception exception) => exception is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException;

    private StreamWriter? Open(bool append)
    {
        try
        {
            var file = append && LocalFiles.KindOf(_file) == FileKind.File ? new FileStream(_file, FileMode.Append, FileAccess.Write, FileShare.Read) : OwnFiles.Create(_file);
            return new StreamWriter(file, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true };
        }
        catch (Exception exception) when (IsOfTheDisk(exception))
        {
            return null;
        }
    }

    private bool TryMove()
    {
        try
        {
            File.Move(_file, $"{_file}.1", overwrite: true);
            return true;
        }
        catch (Exception exception) when (IsOfTheDisk(exception))
        {
            return false;
        }
    }

    private void Close()
    {
        try
        {
            _writer?.Dispose();
        }
        catch (Exception exception) when (IsOfTheDisk(exception))
        {
            // what was not written before is lost
        }

        _writer = null;
    }

    // a full disk must not stop the emulator's output from being read
    private void TryWrite(string line)
    {
        try
        {
            _writer?.WriteLine(line);
        }
        catch (Exception exception) when (IsOfTheDisk(exception))
        {
            Close();
        }
    }
}
