namespace MgbaBridge.Gateway.Names;

/// <summary>A struct: fields, each at its place.</summary>
public sealed record StructBody
{
    /// <summary>How many bytes it takes. Left away: up to the end of its last field.</summary>
    public int? Size { get; init; }

    /// <summary>The fields by name.</summary>
    public required Dictionary<string, FieldBody> Fields { get; init; }
}
