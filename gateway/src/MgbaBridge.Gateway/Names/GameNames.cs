namespace MgbaBridge.Gateway.Names;

/// <summary>The names of a game.</summary>
/// <param name="Symbols">From the linker, or null.</param>
/// <param name="Properties">From a property map, or null.</param>
public sealed record GameNames(SymbolTable? Symbols, PropertyMap? Properties)
{
    /// <summary>About how many bytes they take.</summary>
    public long Memory => (Symbols?.Memory ?? 0) + (Properties?.Memory ?? 0);
}
