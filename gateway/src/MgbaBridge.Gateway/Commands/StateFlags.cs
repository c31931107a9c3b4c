using System.Diagnostics.CodeAnalysis;

namespace MgbaBridge.Gateway.Commands;

/// <summary>What a save state has in it besides the machine.</summary>
[Flags]
[SuppressMessage("Naming", "CA1711", Justification = "flags is what mGBA and its users call them")]
public enum StateFlags
{
    None = 0,
    Screenshot = 1,
    SaveData = 2,
    Cheats = 4,
    Clock = 8,
    Metadata = 16,

    /// <summary>What loading takes unless told otherwise: not the save data, which would undo what the game has saved since, and no cheats.</summary>
    UsualForLoad = Screenshot | Clock | Metadata,

    /// <summary>Everything.</summary>
    All = Screenshot | SaveData | Cheats | Clock | Metadata,
}
