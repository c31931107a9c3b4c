using System.Globalization;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Testing;

/// <summary>
/// Reads what a ROM that tests itself says of its tests. Four formats are known: those of pokeemerald-expansion's test runner (hydra), agb, gba_test and Unity.
/// The one that begins is that of the whole log. A test that began and has no result has failed.
/// </summary>
/// <param name="path">The ROM.</param>
/// <param name="names">The names of its addresses.</param>
internal sealed partial class SelfTestLog(string path, SelfTestNames names)
{
    private const int MaxLines = 10_000;
    private const string Debug = "GBA Debug: ";
    private const string LinkPort = "GB Serial I/O: ";
    private const string AllPassed = "Tests finished successfully";
    private const string Runs = "running test: ";
    private const string AllRan = "tests finished";
    private const string Begins = "...";
    private const string Picture = "image:";

    // blocks of hydra's tests that have a name and a result only if it is a failure, which is then that of other tests
    private const string Assumptions = "ASSUMPTIONS:";

    private readonly Queue<string> _lines = [];
    private Format _format;
    private string? _test;
    private string? _shownName;
    private (string File, int Line)? _source;
    private string? _output;
    private string? _picture;
    private int _number;
    private bool _failed;
    private int? _failures;

    private enum Format
    {
        Unknown,
        Hydra,
        Agb,
        GbaTest,
        Unity,
    }

    /// <summary>Whether the ROM has said how it ends: true for passed, false for failed; null as long as it has not.</summary>
    public bool? Passed { get; private set; }

    /// <summary>Whether a ROM that has passed says so, in a sentence.</summary>
    public bool EndsWithASentence => _format is Format.Agb or Format.GbaTest or Format.Unity;

    /// <summary>Whether a test has begun and has no result.</summary>
    public bool IsInTest => _test is not null && _format != Format.Unknown && !IsBlock(_test);

    /// <summary>The lines since the last test ended.</summary>
    public IReadOnlyCollection<string> Lines => _lines;

    /// <summary>The line of a Game Boy's link port that tells of a failure best; null for none.</summary>
    public string? FailureInWords => FailureOf(_lines);

    /// <summary>The line of a Game Boy's link port that tells of a failure best; null for none.</summary>
    public static string? FailureOf(IEnumerable<string> lines) => lines.Where(static line => line.StartsWith(LinkPort, StringComparison.Ordinal)).Select(static line => line[LinkPort.Length..].Trim())
        .Where(static line => line.Length > 0).OrderBy(static line => line.Contains("fail", StringComparison.OrdinalIgnoreCase)).LastOrDefault();

    /// <summary>The test that runs now; the ROM itself outside of tests.</summary>
    public TestId Test => new(path, _number + 1, IsInTest ? _shownName! : Path.GetFileName(path), _source?.Line ?? 1) { Source = _source?.File };

    /// <summary>Reads a line. The test that ended with it, or null.</summary>
    public SelfTestResult? Read(string line)
    {
        line = Address().Replace(TerminalColor().Replace(line, ""), address => names.Of(long.Parse(address.Groups[1].ValueSpan, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)) ?? address.Value);
        if (_lines.Count == MaxLines)
        {
            _lines.Dequeue();
        }

        _lines.Enqueue(line);
        var text = line.StartsWith(Debug, StringComparison.Ordinal) ? line[Debug.Length..] : null;
        return _format switch
        {
            Format.Unity => ReadUnity(text ?? TextOfLinkPort(line)),
            Format.GbaTest => ReadGbaTest(text),
            Format.Hydra => ReadHydra(text),
            Format.Agb => ReadAgb(text),
            _ when (text ?? TextOfLinkPort(line)) is { } any && Unity().IsMatch(any) => ReadUnity(any),
            _ when text is [':', 'N', ..] => ReadHydra(text),
            _ when text?.StartsWith(Runs, StringComparison.Ordinal) == true => ReadGbaTest(text),
            _ => ReadAgb(text),
        };
    }

    /// <summary>Ends the test that runs now.</summary>
    public SelfTestResult End(SelfTestVerdict verdict, string reason)
    {
        var result = new SelfTestResult(Test, verdict, reason, [.. _lines]);
        _number++;
        (_test, _source, _output, _picture) = (null, null, null, null);
        _lines.Clear();
        return result;
    }

    private static string? TextOfLinkPort(string line) => line.StartsWith(LinkPort, StringComparison.Ordinal) ? line[LinkPort.Length..].TrimEnd() : null;

    private SelfTestResult? ReadHydra(string? text) =>
        text is [':', var kind, .. var rest] && ReadCommand(kind, rest.Trim(), out var ended) ? ended : ReadOutput(text);

    // :N and the name, :L and where it is, then a letter for how it ended
    private bool ReadCommand(char kind, string text, out SelfTestResult? ended)
    {
        ended = null;
        switch (kind)
        {
            case 'P' or 'E' or 'K' or 'T' or 'A' when _test is null:
                return false; // another text with a colon
            case 'N':
                ended = Begin(text);
                return true;
            case 'L':
                _source = Source().Match(text) is { Success: true } source && int.TryParse(source.Groups[2].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out var line)
                    ? (source.Groups[1].Value, line) : _source;
                return true;
            case 'P' or 'E':
                ended = End(SelfTestVerdict.Passed, text);
                return true;
            case 'K' or 'T' or 'A':
                ended = End(SelfTestVerdict.Skipped, text);
                return true;
            case 'F' or 'U' or 'V':
                ended = End(SelfTestVerdict.Failed, _output is null ? text : $"{text}: {_output}");
                return true;
            default:
                return false;
        }
    }

    // a test with parameters or trials has another name for each: "Burns 2/3", "Burns (1/?)", "Burns: (2/3) Toxic", and its own at the end
    private SelfTestResult? Begin(string name)
    {
        (_format, _test) = (Format.Hydra, _format == Format.Hydra ? _test : null);
        if (_test is not null && name.StartsWith(_test, StringComparison.Ordinal) && Part().IsMatch(name.AsSpan(_test.Length)))
        {
            _shownName = name;
            return null;
        }

        var lost = IsInTest ? End(SelfTestVerdict.Failed, SelfTestResult.Missing) : null;
        (_test, _shownName, _source, _output) = (name, name, null, null);
        _lines.Clear();
        return lost;
    }

    private SelfTestResult? ReadOutput(string? text)
    {
        _output = text ?? _output;
        return null;
    }

    // "running test: " and the name, what the test prints, then "test passed", "test failed" or "test ignored"; at the end of all "tests finished"
    private SelfTestResult? ReadGbaTest(string? text)
    {
        _format = Format.GbaTest;
        if (text?.StartsWith(Runs, StringComparison.Ordinal) == true)
        {
            var lost = IsInTest ? End(SelfTestVerdict.Failed, SelfTestResult.Missing) : null;
            _test = _shownName = text[Runs.Length..];
            return lost;
        }

        if (text == AllRan)
        {
            Passed = true;
        }

        return text switch
        {
            "test passed" when IsInTest => End(SelfTestVerdict.Passed, text),
            "test ignored" when IsInTest => End(SelfTestVerdict.Skipped, text),
            "test failed" when IsInTest => End(SelfTestVerdict.Failed, _output ?? text),
            _ => ReadOutput(text),
        };
    }

    // FILE:LINE:NAME:PASS, or FAIL or IGNORE and perhaps a reason; at the end "3 Tests 1 Failures 0 Ignored" and OK or FAIL
    private SelfTestResult? ReadUnity(string? text)
    {
        _format = Format.Unity;
        if (text is null || Unity().Match(text) is not { Success: true } read)
        {
            _failures = text is not null && UnityCounts().Match(text) is { Success: true } counts ? int.Parse(counts.Groups[1].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture) : _failures;
            Passed = text is "OK" or "FAIL" && _failures is { } failures ? text == "OK" && failures == 0 : Passed;
            return null;
        }

        _test = _shownName = (read.Groups["fixture"] is { Success: true } fixture ? fixture : read.Groups["name"]).Value;
        _source = read.Groups["line"] is { Success: true } at && int.TryParse(at.ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out var line) ? (read.Groups["file"].Value, line) : null;
        var reason = read.Groups["reason"] is { Success: true, Length: > 0 } said ? said.Value : read.Groups["verdict"].Value;
        return End(
            read.Groups["verdict"].Value switch
            {
                "PASS" => SelfTestVerdict.Passed,
                "IGNORE" => SelfTestVerdict.Skipped,
                _ => SelfTestVerdict.Failed,
            },
            reason);
    }

    // "Running 2 tests", then the name and "...", then [ok], or [failed] and a line with the reason
    private SelfTestResult? ReadAgb(string? text)
    {
        if (text is null)
        {
            return null;
        }

        if (_failed)
        {
            (_failed, Passed) = (false, false);
            return End(SelfTestVerdict.Failed, text);
        }

        if (text == AllPassed)
        {
            Passed = true;
        }
        else if (Header().IsMatch(text))
        {
            (_format, _test) = (Format.Agb, null);
        }
        else if (text.EndsWith(Begins, StringComparison.Ordinal) && !IsInTest)
        {
            // without the header, the result shows whether it is one
            (_test, _shownName) = (text[..^Begins.Length], text[..^Begins.Length]);
        }
        else if (text.StartsWith(Picture, StringComparison.Ordinal) && IsInTest)
        {
            _picture = text[Picture.Length..];
        }
        else if (_test is not null && text is "[ok]" or "[failed]")
        {
            (_format, _failed) = (Format.Agb, text is "[failed]");
            return _failed ? null
                : _picture is { } picture ? End(SelfTestVerdict.Skipped, $"It compares the game's picture with {picture}, which is not supported. Use a test file with a step picture.")
                : End(SelfTestVerdict.Passed, text);
        }

        return null;
    }

    private static bool IsBlock(string test) => test.StartsWith(Assumptions, StringComparison.Ordinal);

    [GeneratedRegex("\u001b\\[[0-9;]*m", RegexOptions.CultureInvariant)]
    private static partial Regex TerminalColor();

    // as %p is printed
    [GeneratedRegex("(?<=<)0x([0-9a-f]{7})(?=>)", RegexOptions.CultureInvariant)]
    private static partial Regex Address();

    [GeneratedRegex("^(.+):([0-9]+)$", RegexOptions.CultureInvariant)]
    private static partial Regex Source();

    [GeneratedRegex("^$|^:? \\(?[0-9]+/", RegexOptions.CultureInvariant)]
    private static partial Regex Part();

    [GeneratedRegex(@"^(?:TEST\((?<fixture>[^)]+)\) (?<verdict>PASS)|(?:TEST\((?<fixture>[^)]+)\))?(?<file>.+?):(?<line>[0-9]+):(?<name>[^:]*):(?<verdict>PASS|FAIL|IGNORE)(?:: ?(?<reason>.*))?)$", RegexOptions.CultureInvariant)]
    private static partial Regex Unity();

    [GeneratedRegex("^[0-9]{1,6} Tests ([0-9]{1,6}) Failures [0-9]+ Ignored ?$", RegexOptions.CultureInvariant)]
    private static partial Regex UnityCounts();

    [GeneratedRegex("^Running [0-9]+ tests?$", RegexOptions.CultureInvariant)]
    private static partial Regex Header();
}

/// <summary>How a test of a ROM ended.</summary>
internal enum SelfTestVerdict
{
    /// <summary>As it should.</summary>
    Passed,

    /// <summary>It failed, as is known, or did not run, or not as a whole.</summary>
    Skipped,

    /// <summary>It failed, or passed although it should fail, or has no result.</summary>
    Failed,
}

/// <summary>A test of a ROM has ended.</summary>
/// <param name="Test">Which.</param>
/// <param name="Verdict">How.</param>
/// <param name="Reason">What the ROM says of it.</param>
/// <param name="Lines">What was logged meanwhile, the newest lines.</param>
internal sealed record SelfTestResult(TestId Test, SelfTestVerdict Verdict, string Reason, IReadOnlyList<string> Lines)
{
    /// <summary>The picture and the state of the moment; none where they are not known.</summary>
    public IReadOnlyList<(string Name, byte[] Content)> Files { get; init; } = [];

    /// <summary>Why a test without a result has failed.</summary>
    public const string Missing = "The test began, and the log has no result of it.";
}
