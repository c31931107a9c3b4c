using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Testing;

/// <summary>The names of a test file's game.</summary>
internal static class TestNames
{
    /// <summary>Reads them.</summary>
    /// <exception cref="TestFileException">A file of them is damaged.</exception>
    public static GameSymbols Of(TestFile file)
    {
        return new GameSymbols(Read(file.Symbols, SymbolFile.Read), Read(file.Properties, PropertyMapFile.Read));

        static T? Read<T>(string? path, NameFile<T> read)
            where T : class
        {
            try
            {
                return path is null ? null : read(File.ReadAllBytes(path));
            }
            catch (NameFormatException exception)
            {
                throw new TestFileException($"{path}: {exception.Message}");
            }
        }
    }
}
