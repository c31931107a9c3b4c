using MgbaBridge.Client.Validation;

namespace MgbaBridge.Engines.Search;

/// <summary>What RAM searches may take.</summary>
public sealed record SearchOptions
{
    /// <summary>The most bytes that all searches together keep. Beyond: 507.</summary>
    [ByteRange(1_048_576, 4_294_967_296)]
    public long MaxMemory { get; set; } = 67_108_864;
}
