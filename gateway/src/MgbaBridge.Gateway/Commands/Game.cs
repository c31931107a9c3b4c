namespace MgbaBridge.Gateway.Commands;

/// <summary>The game that is loaded.</summary>
/// <param name="Title">The title in its header.</param>
/// <param name="Code">The code as mGBA reports it: <c>AGB-BBTE</c> in 0.10, <c>BBTE</c> in 0.11.</param>
/// <param name="Platform"><c>gba</c> or <c>gb</c>.</param>
/// <param name="Crc32">The checksum of the ROM.</param>
/// <param name="RomSize">The size of the ROM in bytes.</param>
/// <param name="FrameCycles">CPU cycles in a frame.</param>
/// <param name="Frequency">CPU cycles in a second.</param>
/// <param name="GameCode">The four letters in the ROM header; null when it has none, or the script is too old to read them.</param>
public readonly record struct Game(string Title, string Code, string Platform, long Crc32, long RomSize, long FrameCycles, long Frequency, string? GameCode);
