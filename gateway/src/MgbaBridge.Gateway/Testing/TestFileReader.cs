using System.Globalization;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Engines.Yaml;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Reads test files.</summary>
internal sealed class TestFileReader
{
    /// <summary>The most frames that a step or a test may run.</summary>
    public const long MaxFrames = 1_000_000;

    private const long DefaultFrames = 3_600;
    private const int MaxBytes = 1_048_576;
    private const int MaxTests = 10_000;
    private const int MaxSteps = 100_000;
    private const double MaxTilt = Limits.Tilt / SensorValues.Unit;
    private const double MaxGyro = Limits.Gyro / SensorValues.Unit;

    private const string RomText = "rom";
    private const string Frames = "frames";
    private const string Equal = "equals";
    private const string Value = "value";
    private const string Region = "region";
    private const string Difference = "difference";
    private const string KeysOnly = "keys-only";
    private const string Light = "light";
    private const string TiltStep = "tilt";
    private const string Camera = "camera";
    private const string ClockField = "clock";
    private const string Gyro = "gyro";
    private const string Save = "save";
    private const string Measure = "measure";
    private const long MeasuredFrames = 60;

    private static readonly EmulatorOption[] Options = [.. EmulatorOption.Of(EmulatorStarter.TestFile)];
    private static readonly string[] FileFields = ["rom", .. Options.Where(static option => option.File is not null).Select(static option => option.FieldName), Save, "properties", "symbols",
        .. Options.Where(static option => option.File is null).Select(static option => option.FieldName), Frames, .. PictureComparison.Fields, "setup", "tests"];
    private static readonly string[] TestFields = ["name", Frames, "expect-failure", "cases", "steps"];
    private static readonly string[] Actions = ["wait", "press", "hold", "release", Light, TiltStep, Gyro, Camera, ClockField, "until", "expect", Value, "write", "picture", Save, "log", Measure, "replay", "reset"];
    private static readonly string[] StepFields = [.. Actions, Frames, Equal, "to", Region, Difference, .. PictureComparison.Fields, PictureComparison.MaskField, KeysOnly];
    private static readonly IReadOnlyDictionary<string, string> NoCase = new Dictionary<string, string>();

    private readonly string _path;
    private readonly string _folder;
    private PictureComparison _comparison = new();
    private int _tests;
    private int _steps;

    private readonly string? _rom; // of those that the file names by a pattern
    private readonly IReadOnlyDictionary<string, string> _texts = NoCase;

    private TestFileReader(string path) => (_path, _folder) = (path, Path.GetDirectoryName(Path.GetFullPath(path))!);

    private TestFileReader(string path, string rom, int tests)
        : this(path) => (_rom, _tests, _texts) = (rom, tests, new Dictionary<string, string> { [RomText] = Path.GetFileNameWithoutExtension(rom) });

    /// <summary>Reads a file: its tests for each ROM that it names.</summary>
    /// <exception cref="TestFileException">It is wrong.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static IReadOnlyList<TestFile> Read(string path)
    {
        if (new FileInfo(path).Length > MaxBytes)
        {
            throw new TestFileException(path, 1, 1, $"A test file has up to {MaxBytes} bytes.");
        }

        try
        {
            using var text = new StreamReader(path);
            var root = YamlText.Read(text);
            var files = new List<TestFile>();
            foreach (var rom in new TestFileReader(path).RomsOf(root))
            {
                files.Add((rom is null ? new TestFileReader(path) : new TestFileReader(path, rom, files.Sum(static file => file.Tests.Count))).Read(root));
            }

            return files.Sum(static file => file.Tests.Count) <= MaxTests ? files : throw new TestFileException(path, 1, 1, $"There are more than {MaxTests} tests, those of each ROM counted.");
        }
        catch (YamlFormatException exception)
        {
            throw new TestFileException(path, exception.Line, exception.Column, exception.Message);
        }
    }

    // null: the one that the file names
    private string?[] RomsOf(YamlNode root)
    {
        if (root is not YamlMappingNode map || !map.Children.TryGetValue(new YamlScalarNode("rom"), out var node) || node is not YamlScalarNode { Value: { } pattern } || !pattern.AsSpan().ContainsAny('*', '?'))
        {
            return [null];
        }

        var folder = Path.Combine(_folder, Path.GetDirectoryName(pattern)!);
        string[] roms = Directory.Exists(folder) && !folder.AsSpan().ContainsAny('*', '?')
            ? [.. Directory.GetFiles(folder, Path.GetFileName(pattern)).Order(StringComparer.Ordinal)]
            : throw YamlFields.Wrong(node, $"There is no folder {folder}; only the file's name may have * and ?.");
        return roms.Length > 0 ? roms : throw YamlFields.Wrong(node, $"There is no file {Path.Combine(folder, Path.GetFileName(pattern))}.");
    }

    private TestFile Read(YamlNode root)
    {
        var file = new YamlFields(root, FileFields, _texts);
        var limit = file.Number(Frames, 1, MaxFrames) ?? DefaultFrames;
        _comparison = PictureComparison.Of(file, _comparison);
        var tests = file.List("tests").SelectMany(node => ReadTests(node, limit)).Take(MaxTests + 1).ToList();
        return tests.Count switch
        {
            0 => throw file.Wrong("There are no tests."),
            > MaxTests => throw file.Wrong($"There are more than {MaxTests} tests."),
            _ when tests.CountBy(static test => test.Id.Name).FirstOrDefault(static name => name.Value > 1).Key is { } twice => throw file.Wrong("tests", $"There are two tests with the name \"{twice}\"."),
            _ => new TestFile(_path, RomOf(file), tests)
            {
                Options = OptionsOf(file, Options, Existing),
                Save = Existing(file, Save),
                Properties = Existing(file, "properties"),
                Symbols = Existing(file, "symbols"),
                Setup = ReadSteps(file.List("setup"), _texts),
            },
        };
    }

    /// <summary>Reads options of emulators.</summary>
    /// <param name="file">The fields.</param>
    /// <param name="known">The options that may be there.</param>
    /// <param name="fileOf">The file that a field names; null without it.</param>
    public static EmulatorOptions OptionsOf(YamlFields file, IEnumerable<EmulatorOption> known, Func<YamlFields, string, string?> fileOf) => known.Where(option => file.Has(option.FieldName)).Aggregate(new EmulatorOptions { Clock = TestFile.DefaultClock }, (options, option) =>
    {
        options = option switch
        {
            EmulatorOption<bool> flag => flag.With(options, file.Flag(option.FieldName)),
            EmulatorOption<string?> text => text.With(options, option.File is not null ? fileOf(file, option.FieldName) : file.Text(option.FieldName)),
            EmulatorOption<IReadOnlyList<string>?> settings => settings.With(options, ReadSettings(file, option.FieldName)),
            _ => throw new NotSupportedException($"Test files have no fields for values as of {option.FieldName}."),
        };
        return option.Error(options) is { } error ? throw file.Wrong(option.FieldName, $"{option.FieldName} {error}") : options;
    });

    private static List<string>? ReadSettings(YamlFields file, string field) => file.Find(field) switch
    {
        null => null,
        YamlMappingNode map => [.. map.Children.Select(child => child is { Key: YamlScalarNode { Value.Length: > 0 } key, Value: YamlScalarNode { Value: { } value } }
            ? $"{key.Value}={value}"
            : throw file.Wrong(field, "A setting of mGBA has a name and a text or number, such as gb.model: CGB."))],
        _ => throw file.Wrong(field, $"{field} has settings of mGBA, such as {{gb.model: CGB}}."),
    };

    private string RomOf(YamlFields file)
    {
        var rom = _rom ?? file.Text("rom") ?? throw file.Wrong("rom is missing.");
        return BundledGames.Has(rom) || _rom is not null ? rom : Existing(file, "rom")!;
    }

    private string? Existing(YamlFields file, string field)
    {
        if (file.Text(field) is not { } name)
        {
            return null;
        }

        var path = Path.Combine(_folder, name);
        return File.Exists(path) ? path : throw file.Wrong(field, $"There is no file {path}.");
    }

    private IEnumerable<GameTest> ReadTests(YamlNode node, long limit)
    {
        var outer = new YamlFields(node, TestFields, _texts);
        if (!outer.Has("cases"))
        {
            yield return ReadTest(outer, outer.Required("name"), limit, _texts);
            yield break;
        }

        var cases = outer.List("cases");
        foreach (var row in cases.Count > 0 ? cases : throw outer.Wrong("cases", "There are no cases."))
        {
            var texts = CaseOf(row);
            var test = new YamlFields(node, TestFields, texts);
            var isInName = (test.Find("name") as YamlScalarNode)?.Value?.Contains('{', StringComparison.Ordinal) ?? false;
            var name = test.Required("name");
            yield return ReadTest(test, isInName ? name : $"{name} ({string.Join(", ", texts.Where(static text => text.Key != RomText).Select(text => $"{text.Key}: {text.Value}"))})", limit, texts);
        }
    }

    private Dictionary<string, string> CaseOf(YamlNode row)
    {
        var texts = (row as YamlMappingNode)?.Children
            .Where(static field => field is { Key: YamlScalarNode { Value.Length: > 0 }, Value: YamlScalarNode { Value: not null } })
            .ToDictionary(static field => ((YamlScalarNode)field.Key).Value!, static field => ((YamlScalarNode)field.Value).Value!);
        return texts is { Count: > 0 } && texts.Count == ((YamlMappingNode)row).Children.Count
            ? _texts.Concat(texts).GroupBy(static text => text.Key).ToDictionary(static text => text.Key, static text => text.Last().Value)
            : throw YamlFields.Wrong(row, "A case has fields with texts or numbers, such as {key: A, edges: 1}.");
    }

    private GameTest ReadTest(YamlFields test, string name, long limit, IReadOnlyDictionary<string, string> texts)
    {
        var steps = ReadSteps(test.List("steps"), texts);
        return steps.Count > 0
            ? new GameTest(new TestId(_path, ++_tests, _rom is null ? name : $"{Path.GetFileName(_rom)}: {name}", test.Line), test.Number(Frames, 1, MaxFrames) ?? limit, test.Flag("expect-failure"), steps)
            : throw test.Wrong("The test has no steps.");
    }

    private List<TestStep> ReadSteps(IReadOnlyList<YamlNode> nodes, IReadOnlyDictionary<string, string> texts)
    {
        _steps += nodes.Count;
        return _steps <= MaxSteps ? [.. nodes.Select(node => ReadStep(node, texts))] : throw new TestFileException(_path, 1, 1, $"There are more than {MaxSteps} steps, each case counted.");
    }

    private TestStep ReadStep(YamlNode node, IReadOnlyDictionary<string, string> texts)
    {
        var step = new YamlFields(node, StepFields, texts);
        var action = step.FirstOf(Actions) ?? throw step.Wrong($"A step has one of {string.Join(", ", Actions)}.");
        (TestStep Step, string[] Others) read = action switch
        {
            "wait" => (new WaitStep(step.Line, step.Number(action, 1, MaxFrames)!.Value), []),
            "press" => (new PressStep(step.Line, Keys(step, action), step.Number(Frames, 1, MaxFrames) ?? TapKeys.DefaultFrames), [Frames]),
            "hold" => (new HoldStep(step.Line, Keys(step, action)), []),
            "release" => (new ReleaseStep(step.Line, step.Required(action) == "all" ? new KeySet(KeySet.All) : Keys(step, action)), []),
            Light => (new SensorStep(step.Line, new SetSensors(Light: SensorValues.LightOf(Number(step, action, step.Required(action), 0, 1)))), []),
            TiltStep => (new SensorStep(step.Line, TiltOf(step)), []),
            Gyro => (new SensorStep(step.Line, new SetSensors(Gyro: SensorValues.AngleOf(Number(step, action, step.Required(action), -MaxGyro, MaxGyro)))), []),
            Camera => (new CameraStep(step.Line, Existing(step, action)!), []),
            ClockField => (new ClockStep(step.Line, SetClock.TryParse(step.Required(action), out var clock) ? clock : throw step.Wrong(action, $"A clock is {SetClock.ExpectedFormat}.")), []),
            "until" => (new UntilStep(step.Line, ConditionOf(step, action), step.Number(Frames, 1, MaxFrames) ?? DefaultFrames), [Frames]),
            "expect" => (new ExpectStep(step.Line, ConditionOf(step, action)), []),
            Value => (new ValueStep(step.Line, step.Required(action), step.Json(Equal)), [Equal]),
            "write" => (new WriteStep(step.Line, step.Required(action), JsonSerializer.SerializeToElement(step.Json("to"), TestJson.Default.JsonNode)), ["to"]),
            "picture" => (new PictureStep(step.Line, FileOf(step, action, "a PNG"), RegionOf(step), step.Number(Difference, 0, int.MaxValue) ?? 0, PictureComparison.Of(step, _comparison, Existing)), [Region, Difference, .. PictureComparison.Fields, PictureComparison.MaskField]),
            Save => (new SaveStep(step.Line, FileOf(step, action, "save data")), []),
            "log" => (new LogStep(step.Line, step.Required(action)), []),
            Measure => (new MeasureStep(step.Line, CycleLimit.Parse(step.Required(action)) ?? throw step.Wrong(action, CycleLimit.ExpectedFormat), step.Number(Frames, 1, MaxFrames) ?? MeasuredFrames), [Frames]),
            "replay" => (new ReplayStep(step.Line, Existing(step, action)!, step.Flag(KeysOnly)), [KeysOnly]),
            _ => (new ResetStep(step.Line), []),
        };
        return StepFields.FirstOrDefault(field => field != action && step.Has(field) && !read.Others.Contains(field)) is { } other
            ? throw step.Wrong(other, $"A step with {action} has no field {other}{(read.Others.Length > 0 ? $"; it may have {string.Join(", ", read.Others)}" : "")}.")
            : read.Step;
    }

    private static KeySet Keys(YamlFields step, string field) => KeySet.TryParse(step.Required(field), out var keys) && keys.Count > 0
        ? keys
        : throw step.Wrong(field, $"\"{step.Required(field)}\" are no keys. {KeySet.ExpectedFormat}");

    private static SetSensors TiltOf(YamlFields step)
    {
        if (step.List(TiltStep) is not [YamlScalarNode { Value: { } x }, YamlScalarNode { Value: { } y }])
        {
            throw step.Wrong(TiltStep, "A tilt is [x, y] in degrees, such as [10, -5].");
        }

        return new SetSensors(TiltX: SensorValues.AngleOf(Number(step, TiltStep, x, -MaxTilt, MaxTilt)), TiltY: SensorValues.AngleOf(Number(step, TiltStep, y, -MaxTilt, MaxTilt)));
    }

    private static double Number(YamlFields step, string field, string text, double min, double max) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number >= min && number <= max
            ? number
            : throw step.Wrong(field, string.Create(CultureInfo.InvariantCulture, $"{field} is \"{text}\"; expected a number from {min} to {max}."));

    private static Condition ConditionOf(YamlFields step, string field) => Condition.TryParse(step.Required(field), out var condition, out var wrong) ? condition : throw step.Wrong(field, wrong);

    // one that may be written
    private string FileOf(YamlFields step, string field, string kind)
    {
        var path = Path.Combine(_folder, step.Required(field));
        return Path.GetFileName(path) is "" or "." or ".." || Directory.Exists(path) ? throw step.Wrong(field, $"\"{step.Required(field)}\" is a folder; expected the path of {kind}.") : path;
    }

    private static PictureRegion? RegionOf(YamlFields step)
    {
        if (!step.Has(Region))
        {
            return null;
        }

        int[] numbers = [.. step.List(Region).Select(static node => Integers.TryParseDecimal((node as YamlScalarNode)?.Value, out var number) && number is >= 0 and <= int.MaxValue ? (int)number : -1)];
        return numbers is [>= 0 and var x, >= 0 and var y, > 0 and var width, > 0 and var height]
            ? new PictureRegion(x, y, width, height)
            : throw step.Wrong(Region, "A region is [x, y, width, height] in pixels.");
    }
}
