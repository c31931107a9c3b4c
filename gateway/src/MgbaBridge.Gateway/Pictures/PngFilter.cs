namespace MgbaBridge.Gateway.Pictures;

/// <summary>What the bytes of a row are a difference from.</summary>
internal enum PngFilter
{
    None,
    Left,
    Above,
    Average,
    Paeth,
}
