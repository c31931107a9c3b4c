using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Testing;

/// <summary>The names of a test file's game.</summary>
internal static class TestNames
{
    /// <summary>Reads them.</summary>
    /// <exception cref="TestFileException">A file of them is damaged.</exception>
    public static GameSymbols Of(TestFile file)
    {
        try
        {
            return new GameSymbols(
                file.Symbols is { } symbols ? SymbolFile.Read(File.ReadAllBytes(symbols)) : null,
                file.Properties is { } properties ? PropertyMapFile.Read(File.ReadAllBytes(properties)) : null);
        }
        catch (NameFormatException exception)
        {
            throw new TestFileException($"{file.Properties ?? file.Symbols}: {exception.Message}");
        }
    }
}
