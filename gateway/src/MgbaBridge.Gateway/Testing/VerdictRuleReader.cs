using System.Globalization;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Engines.Yaml;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Reads files with rules.</summary>
internal static class VerdictRuleReader
{
    private const int MaxBytes = 65_536;
    private const int MaxPattern = 64;
    private const string Frames = "frames";
    private const string Keys = "keys";
    private const string Ends = "ends";
    private const string Passes = "passes";
    private const string Fails = "fails";
    private const string Pictures = "pictures";
    private const string Models = "models";
    private const string PassesText = "passes-text";
    private const string FailsText = "fails-text";
    private const string PassesLog = "passes-log";
    private const string FailsLog = "fails-log";
    private const string TextStep = "text-step";
    private const int MaxTextStep = 4;
    private const int MaxLog = 200; // characters of a line

    // a pattern of a file cannot make the program wait
    private static readonly TimeSpan PatternTimeout = TimeSpan.FromSeconds(1);

    private static readonly EmulatorOption[] Options = [.. EmulatorOption.Of(EmulatorStarter.TestFile).Where(static option => option.File is null)];
    private static readonly string[] Fields =
        ["rule", "suite", "source", "fits", .. Options.Select(static option => option.FieldName), Models, Keys, Frames, Ends, Passes, Fails, Pictures, .. PictureComparison.Fields, "digits", "text", TextStep, PassesText, FailsText, PassesLog, FailsLog, "says"];

    private static readonly string[] FitFields = ["console", "path", "not-path", "title", "at", "bytes", "no-bytes", "picture"];

    /// <summary>Reads a file.</summary>
    /// <exception cref="TestFileException">It is wrong.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static IReadOnlyList<VerdictRule> Read(string path)
    {
        if (new FileInfo(path).Length > MaxBytes)
        {
            throw new TestFileException(path, 1, 1, $"A file with a rule has up to {MaxBytes} bytes.");
        }

        using var text = new StreamReader(path);
        return Read(path, text);
    }

    /// <summary>Reads its text.</summary>
    /// <exception cref="TestFileException">It is wrong.</exception>
    public static IReadOnlyList<VerdictRule> Read(string path, TextReader text)
    {
        try
        {
            return YamlText.Read(text) is var root && root is YamlSequenceNode list ? [.. list.Children.Select(node => Read(path, node))] : [Read(path, root)];
        }
        catch (YamlFormatException exception)
        {
            throw new TestFileException(path, exception.Line, exception.Column, exception.Message);
        }
    }

    private static VerdictRule Read(string path, YamlNode root)
    {
        var file = new YamlFields(root, Fields);
        var ends = file.List(Ends).Select(node => EndOf(file, node)).ToList();
        var name = file.Required("rule");
        var rule = new VerdictRule(name, $"{path}:{file.Line}")
        {
            Suite = file.Text("suite") ?? name,
            Fits = file.Has("fits") ? FitsOf(file.Find("fits")!) : throw file.Wrong("fits is missing: it says which ROMs the rule is for."),
            Options = TestFileReader.OptionsOf(file, Options, static (_, _) => null),
            Models = ModelsOf(file),
            Keys = [.. file.List(Keys).Select(KeysOf)],
            Frames = file.Number(Frames, 1, TestFileReader.MaxFrames) ?? VerdictRule.DefaultFrames,
            Ends = [.. ends.SelectMany(static end => end.Until)],
            EndsText = ends.Count > 0 ? string.Join(" or ", ends.Select(static end => end.Text)) : "the ROM's own end",
            Passes = ConditionOf(file, Passes),
            Fails = ConditionOf(file, Fails),
            Pictures = [.. file.List(Pictures).Select(static node => (node as YamlScalarNode)?.Value is { Length: > 0 } picture ? picture : throw YamlFields.Wrong(node, "A picture is a path, such as {name}.png."))],
            Comparison = PictureComparison.Of(file, new PictureComparison()),
            Digits = Pattern(file, "digits"),
            Text = file.Text("text") is not { } text ? null : RulePlace.Find($"{text} u8")?.Address ?? throw file.Wrong("text", $"\"{text}\" is no address."),
            PassesText = Pattern(file, PassesText),
            TextStep = (int)(file.Number(TextStep, 1, MaxTextStep) ?? 1),
            FailsText = Pattern(file, FailsText),
            PassesLog = Pattern(file, PassesLog),
            FailsLog = Pattern(file, FailsLog),
            Says = file.Text("says") is not { } says ? null : RuleMessage.Parse(says, out var wrong) ?? throw file.Wrong("says", wrong!),
        };
        return rule.Ends.Count > 0 && rule is { Passes: null, PassesText: null, PassesLog: null, Pictures.Count: 0, Digits: null }
            ? throw file.Wrong(Ends, "A rule with ends has passes, passes-text, passes-log, pictures or digits: something that says that a ROM has passed.")
            : rule.Text is null && file.FirstOf([PassesText, FailsText, TextStep]) is { } field ? throw file.Wrong(field, $"{field} is of the text: give its address with text.")
            : rule;
    }

    private static RomPattern FitsOf(YamlNode node)
    {
        var fields = new YamlFields(node, FitFields);
        return new RomPattern
        {
            IsGba = fields.Text("console") switch
            {
                null => null,
                "gb" => false,
                "gba" => true,
                var other => throw fields.Wrong("console", $"console is \"{other}\"; expected gb or gba."),
            },
            InPath = Pattern(fields, "path"),
            NotInPath = Pattern(fields, "not-path"),
            InTitle = Pattern(fields, "title"),
            At = [.. fields.List("at").Select(AtOf)],
            Bytes = [.. fields.List("bytes").Select(BytesOf)],
            NoBytes = [.. fields.List("no-bytes").Select(BytesOf)],
            HasPicture = fields.Flag("picture"),
        };
    }

    private static (int Offset, bool IsEqual, byte[] Bytes) AtOf(YamlNode node)
    {
        var parts = ((node as YamlScalarNode)?.Value ?? "").Split(' ', 3);
        return parts is [var at, "==" or "!=", _] && RulePlace.Find($"{at} u8") is { Address: <= int.MaxValue } place
            ? ((int)place.Address, parts[1] == "==", BytesOf(new YamlScalarNode(parts[2]), node))
            : throw YamlFields.Wrong(node, "Bytes at an offset are an offset, == or !=, and bytes in hexadecimal, such as 0x149 == 00.");
    }

    private static byte[] BytesOf(YamlNode node) => BytesOf(node, node);

    private static byte[] BytesOf(YamlNode value, YamlNode node)
    {
        var text = (value as YamlScalarNode)?.Value?.Replace(" ", "", StringComparison.Ordinal) ?? "";
        return text.Length is > 0 and <= MaxPattern && text.Length % 2 == 0 && text.All(char.IsAsciiHexDigit) ? Convert.FromHexString(text)
            : throw YamlFields.Wrong(node, $"Bytes are 1 to {MaxPattern / 2} in hexadecimal, such as E0 82.");
    }

    private static Regex? Pattern(YamlFields fields, string field) => fields.Text(field) is { } text ? Pattern(text, reason => fields.Wrong(field, reason)) : null;

    private static Regex Pattern(string text, Func<string, YamlFormatException> wrong)
    {
        try
        {
            return new Regex(text, RegexOptions.CultureInvariant | RegexOptions.IgnoreCase, PatternTimeout);
        }
        catch (ArgumentException exception)
        {
            throw wrong($"\"{text}\" is no regular expression: {exception.Message}");
        }
    }

    private static IReadOnlyList<(Regex Name, string Model)> ModelsOf(YamlFields file)
    {
        var model = (EmulatorOption<string?>)Options.First(static option => option.FieldName == "model");
        return [.. file.List(Models).Select(node => node is YamlMappingNode { Children: [var (key, value)] } && (key, value) is (YamlScalarNode { Value: { } pattern }, YamlScalarNode { Value: { } name })
            ? model.Error(model.With(new EmulatorOptions(), name)) is { } error ? throw YamlFields.Wrong(node, $"model {error}") : (Pattern(pattern, reason => YamlFields.Wrong(node, reason)), name)
            : throw YamlFields.Wrong(node, "models is a list of patterns with a model each, such as - dmg: DMG."))];
    }

    private static (string Text, IReadOnlyList<string> Until) EndOf(YamlFields file, YamlNode node)
    {
        var text = (node as YamlScalarNode)?.Value ?? throw YamlFields.Wrong(node, "An end is a text.");
        return text.Split(' ') switch
        {
            ["ld-b-b"] => ("LD B,B", ["ld-b-b"]),
            ["illegal"] => ("an opcode that the console does not have", ["illegal"]),
            ["still", var frames] when IsFrames(frames) => ($"{frames} frames with the same picture", [$"still:{frames}"]),
            [Frames, var frames] when IsFrames(frames) => ($"frame {frames}", [$"frames:{frames}"]),
            ["log", ..] when text.Length is > 4 and <= MaxLog => ($"a line with \"{text[4..]}\" in the log", [$"log:{text[4..]}"]),
            _ => (text, (RuleCondition.Parse(text, out var wrong) is { } condition ? condition.Until(out wrong) : null)
                ?? throw YamlFields.Wrong(node, $"\"{text}\" is no end: neither ld-b-b, illegal, still FRAMES, frames FRAMES nor log TEXT. {wrong}")),
        };
    }

    private static (long Frame, KeySet Keys) KeysOf(YamlNode node)
    {
        var text = (node as YamlScalarNode)?.Value ?? "";
        var keys = default(KeySet);
        return text.Split(' ') is [var frame, var held] && IsFrames(frame) && (held == "none" || KeySet.TryParse(held, out keys))
            ? (long.Parse(frame, CultureInfo.InvariantCulture), keys)
            : throw YamlFields.Wrong(node, $"\"{text}\" are no keys from a frame on, such as 60 A or 64 none.");
    }

    private static bool IsFrames(string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var frames) && frames is >= 1 && frames <= TestFileReader.MaxFrames;

    private static RuleCondition? ConditionOf(YamlFields file, string field) =>
        file.Text(field) is not { } text ? null : RuleCondition.Parse(text, out var wrong) ?? throw file.Wrong(field, wrong!);
}
