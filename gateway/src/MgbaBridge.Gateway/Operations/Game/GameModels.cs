using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Game;

/// <summary>What is known about the loaded game.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Title">The title in its header.</param>
/// <param name="Code">The code as mGBA reports it: `AGB-BBTE` in 0.10, `BBTE` in 0.11, where it is empty for most Game Boy games.</param>
/// <param name="GameCode">The four letters in the ROM header, the same in every mGBA version. Absent when the header has none, or the script is older than this field.</param>
/// <param name="Platform">`gba` or `gb`.</param>
/// <param name="Crc32">The CRC32 of the ROM.</param>
/// <param name="RomSize">The size of the ROM in bytes.</param>
/// <param name="FrameCycles">Cycles of the processor in a frame.</param>
/// <param name="Frequency">Cycles of the processor in a second.</param>
/// <param name="Cartridge">What the emulator takes the cartridge and the console for. Absent in windows, and in batches.</param>
/// <param name="Patch">The name of the file whose patch was applied to the ROM when the gateway started the emulator; absent without one, in windows, and in batches.</param>
/// <param name="Cheats">The name of the file whose cheats it was started with, likewise.</param>
public readonly record struct GameAnswer(
    long Frame,
    Epoch Epoch,
    string Title,
    string Code,
    string? GameCode,
    string Platform,
    string Crc32,
    long RomSize,
    long FrameCycles,
    long Frequency,
    CartridgeAnswer? Cartridge = null,
    string? Patch = null,
    string? Cheats = null)
{
    /// <summary>The answer made from a reply.</summary>
    internal static GameAnswer Of(Reply reply)
    {
        var game = ReadGame.Parse(reply);
        return new GameAnswer(
            reply.Frame, reply.Epoch, game.Title, game.Code, game.GameCode, game.Platform, Hex.Of(game.Crc32), game.RomSize, game.FrameCycles, game.Frequency);
    }
}

/// <summary>What the emulator takes the cartridge and the console for; what this console does not have is absent.</summary>
/// <param name="SaveType">What a GBA cartridge saves to; `unknown` until the game first uses it.</param>
/// <param name="Hardware">What a GBA cartridge has besides.</param>
/// <param name="IdleLoop">The address of the loop in which a GBA game waits, or `none`.</param>
/// <param name="Model">The console.</param>
/// <param name="Mbc">The controller of a GB cartridge.</param>
/// <param name="Bios">The BIOS: `built-in` is mGBA's own, `official` one of the console's, or `other`.</param>
/// <param name="Palette">The twelve colours of a console without colours: of the background, of the first and of the second objects.</param>
/// <param name="SkipBios">Whether games start without what the BIOS shows first.</param>
/// <param name="Clock">How the clock runs, with the time that the game reads.</param>
public sealed record CartridgeAnswer(
    CartridgePart? SaveType, CartridgePart? Hardware, CartridgePart? IdleLoop, CartridgePart? Model, CartridgePart? Mbc, CartridgePart? Bios, CartridgePart? Palette, CartridgePart? SkipBios, CartridgePart? Clock)
{
    /// <summary>The answer made from a reply.</summary>
    internal static CartridgeAnswer? Of(Reply reply)
    {
        var parts = ReadCartridge.Parse(reply);
        return parts.Count == 0 ? null : new CartridgeAnswer(Part("save-type"), Part("hardware"), Part("idle-loop"), Part("model"), Part("mbc"), Part("bios"), Part("palette"), Part("skip-bios"), Part("clock"));

        CartridgePart? Part(string key) => parts.TryGetValue(key, out var part) ? new CartridgePart(part.Value, part.Origin, parts.TryGetValue($"{key}-problem", out var problem) ? problem.Value : null) : null;
    }
}

/// <summary>One thing about the cartridge or the console.</summary>
/// <param name="Value">What it is, as the options of emulators name it.</param>
/// <param name="Origin">Where that comes from: `option`, mGBA's `table` of games, a `guess` by the ROM, `detected` from what the game does, a `state` that was loaded, `script` (a request set the clock), or `default`.</param>
/// <param name="Problem">What is wrong with it, found while the game ran, and what to change: of an idle loop in which the game is halted for good. Otherwise absent.</param>
public sealed record CartridgePart(string Value, string Origin, string? Problem = null);

/// <summary>The checksum of the ROM.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Crc32">Its CRC32, `0x` and eight hex digits.</param>
public readonly record struct ChecksumAnswer(
    long Frame,
    Epoch Epoch,
    string Crc32);

/// <summary>The SHA-1 of the ROM.</summary>
/// <param name="Frame">The script's frame count when the game was asked for.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Sha1">Its SHA-1, 40 hex digits.</param>
public readonly record struct Sha1Answer(
    long Frame,
    Epoch Epoch,
    string Sha1);

/// <summary>What this emulator's script can do.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Capabilities">`registers` and `screen`: the script has these commands (`screen.get` is `unsupported` where the host draws no picture); `files`: a folder for files is allowed. docs/protocol.md, section 8, has them all.</param>
/// <param name="Commands">What the script understands: name, kind and arguments.</param>
public readonly record struct CapabilitiesAnswer(
    long Frame,
    Epoch Epoch,
    IReadOnlyList<string> Capabilities,
    IReadOnlyList<string> Commands);
