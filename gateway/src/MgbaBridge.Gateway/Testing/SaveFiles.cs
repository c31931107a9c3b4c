namespace MgbaBridge.Gateway.Testing;

/// <summary>Where what games have saved is left: for each test a file.</summary>
/// <param name="output">The folder for all.</param>
internal sealed class SaveFiles(string output)
{
    private readonly FailureFiles _places = new(output);

    /// <summary>The arguments by which mgba-rom-test leaves its save file in a folder.</summary>
    public static IEnumerable<string> ArgumentsFor(SaveFiles? wanted, string folder) => wanted is null ? [] : ["--saves", folder];

    /// <summary>The save file that it left there; null for none.</summary>
    public static byte[]? In(string folder) => Directory.EnumerateFiles(folder, "*.sav").FirstOrDefault() is { } file ? File.ReadAllBytes(file) : null;

    /// <summary>Leaves a save, or none.</summary>
    /// <exception cref="TestStepException">It cannot be written.</exception>
    public void Leave(TestId test, byte[]? save)
    {
        var path = $"{_places.FolderOf(test)}.sav";
        try
        {
            if (save is not null)
            {
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                File.WriteAllBytes(path, save);
            }
            else if (File.Exists(path))
            {
                File.Delete(path); // that of an earlier run
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new TestStepException($"{path} cannot be written: {exception.Message}");
        }
    }
}
