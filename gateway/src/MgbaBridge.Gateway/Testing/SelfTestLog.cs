using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Testing;

/// <summary>
/// Reads what a ROM that tests itself says of its tests. Three formats are known: that of pokeemerald-expansion's test runner (hydra), that of agb,
/// and the words by which Game Boy test ROMs end, Passed and Failed.
/// </summary>
/// <param name="path">The ROM.</param>
internal sealed partial class SelfTestLog(string path)
{
    private const int MaxLines = 10_000;
    private const string Debug = "GBA Debug: ";
    private const string LinkPort = "GB Serial I/O: ";
    private const string AllPassed = "Tests finished successfully";

    private readonly Queue<string> _lines = [];
    private string? _test;
    private int _number;
    private bool _failed;
    private bool _isAgb;

    /// <summary>Whether the ROM has said how it ends: true for passed, false for failed; null as long as it has not.</summary>
    public bool? Passed { get; private set; }

    /// <summary>The lines since the last test ended.</summary>
    public IReadOnlyCollection<string> Lines => _lines;

    /// <summary>The test that runs now; the ROM itself outside of tests.</summary>
    public TestId Test => new(path, _number + 1, _test ?? Path.GetFileName(path), 1);

    /// <summary>Reads a line. The test that ended with it, or null.</summary>
    public SelfTestResult? Read(string line)
    {
        line = TerminalColor().Replace(line, "");
        if (_lines.Count == MaxLines)
        {
            _lines.Dequeue();
        }

        _lines.Enqueue(line);
        return line.StartsWith(LinkPort, StringComparison.Ordinal) ? ReadWords(line[LinkPort.Length..])
            : !line.StartsWith(Debug, StringComparison.Ordinal) ? null
            : line[Debug.Length..] is [':', var kind, .. var rest] ? ReadCommand(kind, rest)
            : ReadAgb(line[Debug.Length..]);
    }

    /// <summary>Ends the test that runs now.</summary>
    public SelfTestResult End(SelfTestVerdict verdict, string reason)
    {
        var result = new SelfTestResult(Test, verdict, reason, [.. _lines]);
        _number++;
        _test = null;
        _lines.Clear();
        return result;
    }

    private SelfTestResult? ReadWords(string text)
    {
        Passed ??= text.Contains("Passed", StringComparison.Ordinal) ? true : text.Contains("Failed", StringComparison.Ordinal) ? false : null;
        return null;
    }

    // :N and the name, then a letter for how it ended
    private SelfTestResult? ReadCommand(char kind, string text)
    {
        switch (kind)
        {
            case 'N':
                _test = text;
                _lines.Clear();
                return null;
            case 'P' or 'E':
                return End(SelfTestVerdict.Passed, text);
            case 'K' or 'T' or 'A':
                return End(SelfTestVerdict.Skipped, text);
            case 'F' or 'U' or 'V':
                return End(SelfTestVerdict.Failed, text);
            default:
                return null;
        }
    }

    // the name and "...", then [ok], or [failed] and a line with the reason
    private SelfTestResult? ReadAgb(string text)
    {
        if (_failed)
        {
            (_failed, Passed) = (false, false);
            return End(SelfTestVerdict.Failed, text);
        }

        if (text == AllPassed)
        {
            Passed = true;
        }
        else if (text.EndsWith("...", StringComparison.Ordinal))
        {
            (_test, _isAgb) = (text[..^3], true);
        }
        else if (_isAgb && text is "[ok]")
        {
            return End(SelfTestVerdict.Passed, text);
        }

        _failed = _isAgb && text is "[failed]";
        return null;
    }

    [GeneratedRegex("\u001b\\[[0-9;]*m", RegexOptions.CultureInvariant)]
    private static partial Regex TerminalColor();
}

/// <summary>How a test of a ROM ended.</summary>
internal enum SelfTestVerdict
{
    /// <summary>As it should.</summary>
    Passed,

    /// <summary>It failed, as is known, or did not run.</summary>
    Skipped,

    /// <summary>It failed, or passed although it should fail.</summary>
    Failed,
}

/// <summary>A test of a ROM has ended.</summary>
/// <param name="Test">Which.</param>
/// <param name="Verdict">How.</param>
/// <param name="Reason">What the ROM says of it.</param>
/// <param name="Lines">What was logged meanwhile, the newest lines.</param>
internal sealed record SelfTestResult(TestId Test, SelfTestVerdict Verdict, string Reason, IReadOnlyList<string> Lines);
