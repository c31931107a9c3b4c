namespace MgbaBridge.Engines.Symbols;

/// <summary>The limits of names and of their values. docs/settings.md lists them.</summary>
internal static class NameLimits
{
    /// <summary>The most bytes of a symbol's name.</summary>
    public const int SymbolName = 1_024;

    /// <summary>The most symbols of a file.</summary>
    public const int Symbols = 262_144;

    /// <summary>The most characters that the names of a file's symbols have together.</summary>
    public const int SymbolText = 8_388_608;

    /// <summary>The most bytes of a line in a list or map of symbols, a comment not counted.</summary>
    public const int Line = 4_096;

    /// <summary>The most characters of a name in a property map.</summary>
    public const int PropertyName = 200;

    /// <summary>The most properties of a map; as many structs and fields may be there together.</summary>
    public const int Properties = 65_536;

    /// <summary>The most text tables of a map.</summary>
    public const int Tables = 64;

    /// <summary>The maximum number of characters that one byte of a text represents.</summary>
    public const int CodeText = 32;

    /// <summary>The most pointers that lead to a value.</summary>
    public const int Chain = 16;

    /// <summary>The most bytes of a value.</summary>
    public const int Value = 1_048_576;

    /// <summary>The most bytes of a text.</summary>
    public const int Text = 65_536;

    /// <summary>How many levels of structs and lists a value has at most.</summary>
    public const int Depth = 32;

    /// <summary>The most numbers, texts and byte strings in a value, and in all values of one request.</summary>
    public const int Parts = 262_144;

    /// <summary>The most characters of a value as JSON, and of all values of one request.</summary>
    public const int Characters = 8_388_608;
}
