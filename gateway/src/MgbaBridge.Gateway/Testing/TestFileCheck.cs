using System.Buffers;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Finds what is wrong in the steps of a test file before they run: whatever a test expects, it does not pass by a mistake.</summary>
/// <param name="updates">Whether pictures and save data that are missing or wrong are written.</param>
internal sealed class TestFileCheck(bool updates)
{
    private readonly Dictionary<(string File, PictureRegion? Region), string?> _pictures = [];
    private readonly Dictionary<string, string?> _recordings = [];
    private readonly Dictionary<string, string?> _saves = [];

    /// <summary>The mistakes, in the order of the file.</summary>
    /// <exception cref="TestFileException">A file of names is damaged.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public IReadOnlyList<TestSourceProblem> MistakesOf(TestFile file)
    {
        var names = TestNames.Of(file);
        var steps = file.Setup.Select(static step => (Step: step, ExpectsFailure: false)).Concat(file.Tests.SelectMany(static test => test.Steps.Select(step => (Step: step, test.ExpectsFailure))));
        return [.. steps
            .Select(step => Wrong(step.Step, names, RomContent.IsGb(file.Rom), updates && !step.ExpectsFailure) is { } wrong
                ? new TestSourceProblem(file.Path, string.Create(CultureInfo.InvariantCulture, $"{file.Path}:{step.Step.Line}: {wrong}"), IsOfTheFile: false) { Line = step.Step.Line } : null)
            .OfType<TestSourceProblem>()
            .Distinct()];
    }

    private string? Wrong(TestStep step, GameSymbols names, bool isGameBoy, bool isWritten) => step switch
    {
        UntilStep until => NumberPlaces.Find(names, until.Condition, out _),
        ExpectStep expect => NumberPlaces.Find(names, expect.Condition, out _),
        ValueStep value => TypedPlace.FindToRead(names, value.Name, out var property, out _) ?? NeverIs(property, value.Expected),
        WriteStep write => TypedPlace.Find(names, write.Name, out var property, out _) ?? property.Type.Write(write.Value, new byte[property.Type.Size]),
        PictureStep { Comparison.Mask: { } mask } when TestPictures.ProblemOfMask(mask) is { } wrong => $"{Path.GetFileName(mask)} {wrong}.",
        PictureStep picture when !isWritten => Known(_pictures, (picture.File, picture.Region), static picture => WrongPicture(picture.File, picture.Region)),
        MeasureStep measure => measure.Limit.Find(names, isGameBoy, out _),
        SaveStep save when !isWritten => Known(_saves, save.File, WrongSave),
        ReplayStep replay => Known(_recordings, replay.File, WrongRecording),
        _ => null,
    };

    // a struct is compared, but not written, as a whole; a value behind a pointer can be missing
    private static string? NeverIs(GameProperty property, JsonNode? expected)
    {
        var bytes = new byte[property.Type.Size];
        return property.Type is not (ScalarType or BytesType or TextType) || (expected is null && property.Chain.Count > 0) ? null
            : property.Type.Write(JsonSerializer.SerializeToElement(expected, TestJson.Default.JsonNode), bytes) is { } wrong ? wrong
            : property.Type is ScalarType && property.Type.Read(bytes) is var read && !JsonNode.DeepEquals(read, expected) ? $"It is read as {read.ToJsonString()}."
            : null;
    }

    private static string? WrongPicture(string path, PictureRegion? region) =>
        (File.Exists(path) ? TestPictures.Problem(File.ReadAllBytes(path), region) : TestPictures.Missing) is { } wrong ? $"{Path.GetFileName(path)} {wrong}." : null;

    // which size the game's has is known when it runs
    private static string? WrongSave(string path) =>
        !File.Exists(path) ? $"{Path.GetFileName(path)} {TestPictures.Missing}."
        : SaveFile.Read(File.ReadAllBytes(path), null, "").Problem is { } wrong ? $"The bytes of {Path.GetFileName(path)} {wrong}."
        : null;

    private static string? WrongRecording(string path) =>
        RecordedGame.Parse(new ReadOnlySequence<byte>(File.ReadAllBytes(path)), out var wrong) is null ? $"{Path.GetFileName(path)} is no recording. {wrong}" : null;

    private static string? Known<TKey>(Dictionary<TKey, string?> known, TKey key, Func<TKey, string?> find)
        where TKey : notnull
    {
        if (!known.TryGetValue(key, out var wrong))
        {
            known[key] = wrong = find(key);
        }

        return wrong;
    }
}
