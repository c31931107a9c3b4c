namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Where a state is kept on the machine that mGBA runs on: a slot or a file.</summary>
public sealed record KeptStateBody
{
    /// <summary>A slot beside the game, 0 to 9.</summary>
    public long? Slot { get; init; }

    /// <summary>A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.</summary>
    public string? File { get; init; }

    /// <summary>What goes in or is taken, added up: 1 screenshot, 2 save data, 4 cheats, 8 clock, 16 metadata. Unless given, all; loading leaves out save data.</summary>
    public int? Flags { get; init; }

    /// <summary>Whether it is one of the two.</summary>
    internal bool IsValid => Slot is null != File is null;
}
