using MgbaBridge.Client.Validation;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Names for places in memory: symbols and property maps.</summary>
public sealed record SymbolOptions
{
    /// <summary>A folder read at the start: property maps <c>*.json</c>, and symbols <c>*.sym</c>, <c>*.map</c> and <c>*.elf</c> whose file name begins
    /// with the game's CRC32, such as <c>52258CD4.sym</c>. Default: none.</summary>
    [ExistingFolder]
    public string? Folder { get; set; }

    /// <summary>About how many bytes the names of all games take together. Beyond: 507.</summary>
    [ByteRange(1_048_576, 4_294_967_296)]
    public long MaxMemory { get; set; } = 134_217_728;
}

/// <summary>Accepts folders that exist.</summary>
internal sealed class ExistingFolderAttribute : SettingAttribute
{
    public override string Limits => "an existing folder";

    public override bool IsValid(object? value) => value is not string { Length: > 0 } folder || Directory.Exists(folder);
}
