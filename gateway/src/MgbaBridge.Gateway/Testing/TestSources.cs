using System.Globalization;
using System.IO.Enumeration;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Finds tests: test files, folders in the layout of mGBA's picture tests, ROMs that test themselves, and folders with any of them.</summary>
internal static class TestSources
{
    private static readonly string[] Endings = [".test.yaml", ".test.yml"];
    private static readonly string[] YamlEndings = [".yaml", ".yml"];

    /// <summary>Finds and reads them: those that are right, and what is wrong with others.</summary>
    /// <param name="paths">Where they are.</param>
    /// <param name="updates">Whether pictures and save data that are missing or wrong are written.</param>
    /// <param name="rule">The name of the rule for all ROMs; null: the one that fits.</param>
    public static (IReadOnlyList<TestSource> Sources, IReadOnlyList<TestSourceProblem> Problems) Read(IReadOnlyList<string> paths, bool updates, string? rule = null)
    {
        var problems = new List<TestSourceProblem>();
        var check = new TestFileCheck(updates);
        var rules = new VerdictRules(rule);
        List<Found> all = [.. paths.SelectMany(path => Try(path, Find) ?? [])];
        var named = all.Where(static each => each.Top is null).Select(static each => Path.GetFullPath(each.Path)).ToHashSet();
        List<Found> found = [.. all.Where(each => each.Top is null || !named.Contains(Path.GetFullPath(each.Path))).DistinctBy(static each => Path.GetFullPath(each.Path))];
        var others = found.Where(static each => !each.IsRom).SelectMany(each => Try(each.Path, ReadAndCheck) ?? []).ToList();
        var used = others.Select(static file => Path.GetFullPath(file.Rom)).ToHashSet();
        var roms = found.Where(each => each.IsRom && !(each.Top is not null && used.Contains(Path.GetFullPath(each.Path)))).SelectMany(each => Try(each.Path, path => RomsOf(path, each.Top)) ?? []);
        List<TestSource> sources = [.. others, .. roms];
        var places = found.Select(static (each, place) => (each.Path, place)).ToDictionary(static each => each.Path, static each => each.place);
        return ([.. sources.OrderBy(source => places[source.Path])], problems);

        // a file that is named tests itself also in other ways
        IReadOnlyList<TestSource>? RomsOf(string path, string? top) =>
            !File.Exists(path) ? throw new FileNotFoundException("There is no such file.", path)
            : !RomContent.IsRom(path) && rule is null ? [new SelfTestRom(path)]
            : rules.For(path, top) is { Count: > 0 } fitting ? [.. fitting.Select((each, index) => new RuledRom(path, each, index + 1))]
            : top is null ? [new SelfTestRom(path)]
            : [new UnruledRom(path)];

        IReadOnlyList<TestFile>? ReadAndCheck(string path)
        {
            var files = Read(path);
            var mistakes = files.SelectMany(check.MistakesOf).Distinct().ToList();
            problems.AddRange(mistakes);
            return mistakes.Count > 0 ? null : files;
        }

        T? Try<T>(string path, Func<string, T?> read)
            where T : class
        {
            try
            {
                return read(path);
            }
            catch (TestFileException exception)
            {
                problems.Add(new TestSourceProblem(path, exception.Message, IsOfTheFile: false));
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                problems.Add(new TestSourceProblem(path, $"{path} cannot be read: {exception.Message}", IsOfTheFile: true));
            }

            return null;
        }
    }

    /// <summary>The files of the tests, with size and time: they differ when one has changed.</summary>
    public static IReadOnlySet<string> Stamps(IReadOnlyList<string> paths)
    {
        var stamps = new HashSet<string>();
        foreach (var path in paths)
        {
            try
            {
                foreach (var found in Find(path))
                {
                    stamps.UnionWith(Directory.Exists(found.Path) ? Directory.GetFiles(found.Path).Select(Stamp) : [Stamp(found.Path)]);
                    stamps.UnionWith(found.IsRom ? Directory.GetFiles(Path.GetDirectoryName(Path.GetFullPath(found.Path))!, $"*{VerdictRules.Ending}").Select(Stamp) : Read(found.Path).SelectMany(FilesOf).Select(Stamp));
                }
            }
            catch (Exception exception) when (exception is TestFileException or IOException or UnauthorizedAccessException)
            {
                // reported by the run; what was found until then counts
            }
        }

        return stamps;
    }

    private static IEnumerable<string> FilesOf(TestFile file) =>
        [file.Rom, .. file.Options.Files, .. new[] { file.Save, file.Properties, file.Symbols }.OfType<string>(), .. file.Setup.Concat(file.Tests.SelectMany(static test => test.Steps)).Select(static step => step switch
        {
            PictureStep picture => picture.File,
            SaveStep save => save.File,
            ReplayStep replay => replay.File,
            _ => null,
        }).OfType<string>()];

    private static string Stamp(string path)
    {
        var file = new FileInfo(path);
        return file.Exists ? string.Create(CultureInfo.InvariantCulture, $"{path} {file.Length} {file.LastWriteTimeUtc.Ticks}") : path;
    }

    private static IReadOnlyList<TestFile> Read(string path) =>
        Directory.Exists(path) ? CinemaFolder.Read(path) is { } folder ? [folder] : []
        : YamlEndings.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase) ? TestFileReader.Read(path)
        : throw new FileNotFoundException("There is no such file.", path);

    private static List<Found> Find(string path)
    {
        if (!Directory.Exists(path))
        {
            return [new Found(path, !YamlEndings.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase), null)];
        }

        List<string> files = [.. Below(path)];
        var pictures = files.Where(static file => CinemaFolder.IsPicture(Path.GetFileName(file))).Select(static file => Path.GetDirectoryName(file)!).ToHashSet();
        var found = files.Where(static file => Endings.Any(file.EndsWith)).Concat(pictures).Select(static file => new Found(file, IsRom: false, null))
            .Concat(files.Where(file => RomContent.IsRom(file) && !pictures.Contains(Path.GetDirectoryName(file)!)).Select(file => new Found(file, IsRom: true, path)))
            .OrderBy(static file => file.Path, StringComparer.Ordinal)
            .ToList();
        return found.Count > 0 ? found : throw new TestFileException($"{path} has no tests: no *{Endings[0]}, no ROMs and no folders with baseline_0000.png.");
    }

    // what a path leads to: a test file, a folder of pictures, or a ROM, with the folder in which it was found
    private sealed record Found(string Path, bool IsRom, string? Top);

    // links to folders can lead back
    private static FileSystemEnumerable<string> Below(string folder) =>
        new(folder, static (ref FileSystemEntry entry) => entry.ToSpecifiedFullPath(), new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.System })
        {
            ShouldIncludePredicate = static (ref FileSystemEntry entry) => !entry.IsDirectory,
            ShouldRecursePredicate = static (ref FileSystemEntry entry) => !entry.Attributes.HasFlag(FileAttributes.ReparsePoint),
        };
}

/// <summary>A source of tests that cannot be used.</summary>
/// <param name="Path">Which.</param>
/// <param name="Reason">Why.</param>
/// <param name="IsOfTheFile">Whether it cannot be read, not what is in it.</param>
internal sealed record TestSourceProblem(string Path, string Reason, bool IsOfTheFile)
{
    /// <summary>Its line; 1 where that is in the reason only.</summary>
    public int Line { get; init; } = 1;
}
