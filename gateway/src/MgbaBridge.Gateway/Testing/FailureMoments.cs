using System.Globalization;

namespace MgbaBridge.Gateway.Testing;

/// <summary>
/// Gives the failures of a ROM that tests itself the picture and the state of their moment. mgba-rom-test writes them at the end of the frame in which
/// the log tells of a failure, and when the run ends; results wait for them, in their order.
/// </summary>
/// <param name="folder">Where it writes them.</param>
/// <param name="texts">What a line has that tells of a failure.</param>
/// <param name="ended">Called with each result.</param>
internal sealed class FailureMoments(string folder, IReadOnlyList<string> texts, Action<SelfTestResult> ended)
{
    private const string Written = "mgba-rom-test: report ";
    private const int Most = 100; // as mgba-rom-test

    private readonly Queue<SelfTestResult> _waiting = [];
    private IReadOnlyList<(string Name, byte[] Content)>? _files;
    private bool _comes;
    private bool _hasEnded;
    private int _count;

    /// <summary>The arguments of mgba-rom-test.</summary>
    public IEnumerable<string> Arguments => ["--report", folder, .. texts.SelectMany(static text => new[] { "--report-at", text })];

    /// <summary>Whether results wait.</summary>
    public bool IsWaiting => _waiting.Count > 0;

    /// <summary>Whether a line is one of mgba-rom-test about what it has written.</summary>
    public bool Read(string line)
    {
        if (!line.StartsWith(Written, StringComparison.Ordinal))
        {
            _comes |= _count < Most && texts.Any(text => line.Contains(text, StringComparison.Ordinal));
            return false;
        }

        _count++;
        _comes = false;
        _files = FilesOf($"-{line[Written.Length..]}");
        if (IsWaiting)
        {
            Pass();
        }

        return true;
    }

    /// <summary>A test has ended.</summary>
    public void Add(SelfTestResult result)
    {
        _waiting.Enqueue(result);
        if (!_comes)
        {
            Pass();
        }
    }

    /// <summary>The run has ended: what waits, and what comes now, has its last moment.</summary>
    public void End()
    {
        (_files, _comes, _hasEnded) = (FilesOf(""), false, true);
        Pass();
    }

    private void Pass()
    {
        while (_waiting.TryDequeue(out var result))
        {
            ended(result.Verdict == SelfTestVerdict.Failed && _files is not null ? result with { Files = _files } : result);
        }

        _files = _hasEnded ? _files : null; // that of the next test is another one
    }

    private (string Name, byte[] Content)[] FilesOf(string suffix) =>
    [
        .. new[] { ("picture", "png"), ("state", "ss") }
            .Select(file => (Name: $"{file.Item1}.{file.Item2}", Path: Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"{file.Item1}{suffix}.{file.Item2}"))))
            .Where(static file => File.Exists(file.Path))
            .Select(static file => (file.Name, File.ReadAllBytes(file.Path))),
    ];
}
