using System.Collections.Frozen;

namespace MgbaBridge.Gateway.Api.OpenApi;

/// <summary>The path parameters, each with a description and an example.</summary>
internal static class PathParts
{
    private static readonly FrozenDictionary<string, (string Description, string Example)> Known = new Dictionary<string, (string, string)>
    {
        ["location"] = ("An address on the game's bus (`0x02000000` or `33554432`), or an offset in a memory domain (`wram:0x10`).", "0x02000000"),
        ["name"] = ("A register: `r0`..`r15`, `sp`, `lr`, `pc`, `cpsr` (GBA), or `a b c d e f h l af bc de hl sp pc` (GB).", "r0"),
        ["search"] = ("The `id` that POST /v2/searches answered.", "4b1d90aa"),
        ["value"] = ("A property, a part of one such as `edges[3]` or `node.tag`, or a symbol, perhaps with an offset: `player+0x10`.", "frames"),
        ["recording"] = ("The `id` that POST /v2/recordings answered.", "4b1d90aa"),
        ["map"] = ("A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy.", "2"),
        ["sprite"] = ("A sprite: 0 to 127 on the GBA, 0 to 39 on a Game Boy.", "0"),
        ["freeze"] = ("The `id` of a freeze that GET /v2/freezes lists.", "health"),
        ["frame"] = ("The frame of a state in the ring.", "4711"),
        ["state"] = ("The name of a state that GET /v2/states lists.", "before-the-boss"),
        ["id"] = ("The id of an emulator that GET /v2/emulators lists.", "1"),
        ["slot"] = ("A slot, 0 to 9.", "1"),
    }.ToFrozenDictionary();

    /// <summary>What this part means.</summary>
    public static (string Description, string Example) Of(string name) => Known.GetValueOrDefault(name, (name, "1"));
}
