namespace MgbaBridge.Gateway.Names;

/// <summary>A field of a struct.</summary>
/// <param name="At">Its offset in bytes.</param>
/// <param name="Form">What it is.</param>
public sealed record StructField(int At, IValueForm Form);
