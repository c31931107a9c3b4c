using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Testing;

/// <summary>The names of a test file's game.</summary>
internal static class TestNames
{
    /// <summary>Reads them. The demo game has names of its own.</summary>
    /// <exception cref="TestFileException">A file of them is damaged.</exception>
    public static GameSymbols Of(TestFile file)
    {
        var bundled = SymbolStore.OfBundled(file.Rom);
        return new GameSymbols(Read(file.Symbols, SymbolFile.Read) ?? bundled.Symbols, Read(file.Properties, PropertyMapFile.Read) ?? bundled.Properties);

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
