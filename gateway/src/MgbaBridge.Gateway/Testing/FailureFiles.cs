using System.Globalization;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Where the files about failures are: for each test a folder.</summary>
/// <param name="output">The folder for all.</param>
internal sealed class FailureFiles(string output)
{
    private const int MaxFileName = 80;

    /// <summary>The folder of a test: where its file is, seen from the working folder, or from the root when it is not below that.</summary>
    public string FolderOf(TestId test)
    {
        var full = Path.GetFullPath(test.Path);
        var inside = Path.GetRelativePath(Directory.GetCurrentDirectory(), full);
        var place = inside.StartsWith("..", StringComparison.Ordinal) || Path.IsPathRooted(inside) ? Path.GetRelativePath(Path.GetPathRoot(full)!, full) : inside;
        return Path.Combine(
            [
                output,
                .. place.Split(Path.DirectorySeparatorChar).Select(FileName),
                string.Create(CultureInfo.InvariantCulture, $"{test.Number:000}-{FileName(test.Name)}"),
            ]);
    }

    /// <summary>Deletes those of an earlier run.</summary>
    /// <exception cref="TestStepException">They cannot be deleted.</exception>
    public void Delete(TestId test)
    {
        var folder = FolderOf(test);
        try
        {
            if (Directory.Exists(folder))
            {
                Directory.Delete(folder, recursive: true);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new TestStepException($"{folder}, of an earlier run, cannot be deleted: {exception.Message}");
        }
    }

    /// <summary>Writes files about a failure. The failure, with a sentence when they cannot be written.</summary>
    public TestFailure Save(TestId test, TestFailure failure, IEnumerable<(string Name, byte[] Content)> files)
    {
        var folder = FolderOf(test);
        try
        {
            Directory.CreateDirectory(folder);
            foreach (var (name, content) in files)
            {
                File.WriteAllBytes(Path.Combine(folder, name), content);
            }

            return failure;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return failure with { Reason = $"{failure.Reason} The files about it cannot be written: {exception.Message}" };
        }
    }

    private static string FileName(string name) => string.Concat(name.Take(MaxFileName).Select(static letter => char.IsLetterOrDigit(letter) || letter is '-' or '.' ? letter : '-'));
}
