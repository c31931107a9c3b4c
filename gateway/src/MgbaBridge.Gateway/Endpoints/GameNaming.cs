using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Names;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The game that is open, and what its places are called.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">When it was asked for.</param>
/// <param name="Epoch">The epoch in which it was open.</param>
/// <param name="Game">The game.</param>
/// <param name="Names">Its names.</param>
internal sealed record GameNaming(EmulatorClient Emulator, long Frame, uint Epoch, Game Game, GameNames Names)
{
    private const string GameBoy = "gb";

    /// <summary>Whether pointers have two bytes.</summary>
    public bool IsGameBoy => Game.Platform == GameBoy;

    /// <summary>The game's checksum.</summary>
    public uint Crc32 => (uint)Game.Crc32;

    /// <summary>Asks the emulator, or answers with a problem.</summary>
    public static Task WithGameAsync(HttpContext http, Func<HttpContext, GameNaming, Task> then) => http.WithEmulatorAsync(async (http, emulator) =>
    {
        GameNaming naming;
        using (var reply = await emulator.SendAsync(new ReadGame(), default, http.RequestAborted))
        {
            if (reply.Failure is { } failure)
            {
                await Problems.WriteAsync(http, emulator.Id, failure);
                return;
            }

            var game = ReadGame.Parse(reply);
            naming = new GameNaming(emulator, reply.Frame, reply.Epoch, game, http.Single<NameBook>().Of((uint)game.Crc32));
        }

        await then(http, naming);
    });
}
