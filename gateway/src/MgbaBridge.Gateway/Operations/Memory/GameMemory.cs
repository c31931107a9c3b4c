using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Memory;

/// <summary>What memory a game has.</summary>
/// <param name="Epoch">The game's epoch: another one is another game.</param>
/// <param name="IsGba">Whether it is a game for the GBA, not the Game Boy.</param>
/// <param name="IsColor">Whether it is a Game Boy game with color support.</param>
/// <param name="RomSize">The size of the ROM in bytes.</param>
/// <param name="Sizes">The sizes of mGBA's domains in bytes, by id.</param>
internal sealed record GameMemory(Epoch Epoch, bool IsGba, bool IsColor, long RomSize, IReadOnlyDictionary<string, long> Sizes)
{
    /// <summary>The domain of the ROM.</summary>
    public const string Rom = "cart0";

    private const int ColorFlag = 0x143;

    /// <summary>That of the game that runs now; null when there is none.</summary>
    /// <param name="invocation">For whom.</param>
    /// <param name="known">What was found before: of the same game it is the result.</param>
    /// <exception cref="RequestFailedException">The emulator does not answer.</exception>
    public static async Task<GameMemory?> ReadAsync(Invocation invocation, GameMemory? known)
    {
        var found = await invocation.Emulator.SendAsync(new ReadGame(), invocation.Options, invocation.Cancelled);
        if (found.Failure is { Code: ErrorCode.NoGame })
        {
            found.Dispose();
            return null;
        }

        using var reply = found.EnsureSuccess();
        if (reply.Epoch == known?.Epoch)
        {
            return known;
        }

        var game = ReadGame.Parse(reply);
        using var list = (await invocation.Emulator.SendAsync(new ListDomains(), invocation.Options, invocation.Cancelled)).EnsureSuccess();
        var sizes = ListDomains.Parse(list).ToDictionary(domain => domain.Id, domain => domain.Size);
        if (game.Platform == "gba")
        {
            return new GameMemory(reply.Epoch, true, false, game.RomSize, sizes);
        }

        using var flag = (await invocation.Emulator.SendAsync(new ReadMemory(new Location(Rom, ColorFlag), 1), invocation.Options, invocation.Cancelled)).EnsureSuccess();
        return new GameMemory(reply.Epoch, false, (flag.Tail.Span[0] & 0x80) != 0, game.RomSize, sizes);
    }
}
