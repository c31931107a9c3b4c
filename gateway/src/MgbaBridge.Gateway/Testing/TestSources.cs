using System.Globalization;
using System.IO.Enumeration;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Finds tests: test files, folders with them, folders in the layout of mGBA's picture tests, and ROMs that test themselves.</summary>
internal static class TestSources
{
    private static readonly string[] Endings = [".test.yaml", ".test.yml"];
    private static readonly string[] YamlEndings = [".yaml", ".yml"];

    /// <summary>Finds and reads them: those that are right, and what is wrong with others.</summary>
    /// <param name="paths">Where they are.</param>
    /// <param name="updatesPictures">Whether pictures that are missing or wrong are written.</param>
    public static (IReadOnlyList<TestSource> Sources, IReadOnlyList<TestSourceProblem> Problems) Read(IReadOnlyList<string> paths, bool updatesPictures)
    {
        var problems = new List<TestSourceProblem>();
        var check = new TestFileCheck(updatesPictures);
        List<string> found = [.. paths.SelectMany(path => Try(path, Find) ?? []).DistinctBy(Path.GetFullPath)];
        return ([.. found.Select(path => Try(path, ReadAndCheck)).OfType<TestSource>()], problems);

        TestSource? ReadAndCheck(string path)
        {
            var source = Read(path);
            var mistakes = source is TestFile file ? check.MistakesOf(file) : [];
            problems.AddRange(mistakes);
            return mistakes.Count > 0 ? null : source;
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
                    stamps.UnionWith(Directory.Exists(found) ? Directory.GetFiles(found).Select(Stamp) : [Stamp(found)]);
                    stamps.UnionWith(Read(found) is TestFile file ? FilesOf(file).Select(Stamp) : []);
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
        [file.Rom, .. file.Options.Files, .. new[] { file.Properties, file.Symbols }.OfType<string>(), .. file.Setup.Concat(file.Tests.SelectMany(static test => test.Steps)).Select(static step => step switch
        {
            PictureStep picture => picture.File,
            ReplayStep replay => replay.File,
            _ => null,
        }).OfType<string>()];

    private static string Stamp(string path)
    {
        var file = new FileInfo(path);
        return file.Exists ? string.Create(CultureInfo.InvariantCulture, $"{path} {file.Length} {file.LastWriteTimeUtc.Ticks}") : path;
    }

    private static TestSource? Read(string path) =>
        Directory.Exists(path) ? CinemaFolder.Read(path)
        : YamlEndings.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase) ? TestFileReader.Read(path)
        : File.Exists(path) ? new SelfTestRom(path)
        : throw new FileNotFoundException("There is no such file.", path);

    private static List<string> Find(string path)
    {
        if (!Directory.Exists(path))
        {
            return [path];
        }

        var found = Below(path).Where(static file => Endings.Any(file.EndsWith))
            .Concat(Below(path).Where(static file => CinemaFolder.IsPicture(Path.GetFileName(file))).Select(static file => Path.GetDirectoryName(file)!).Distinct())
            .Order(StringComparer.Ordinal)
            .ToList();
        return found.Count > 0 ? found : throw new TestFileException($"{path} has no tests: neither *{Endings[0]} nor folders with baseline_0000.png.");
    }

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
