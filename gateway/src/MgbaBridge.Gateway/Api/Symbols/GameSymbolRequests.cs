using System.Buffers;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>The game that is open, and what its places are called.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">When it was asked for.</param>
/// <param name="Epoch">The epoch in which it was open.</param>
/// <param name="Game">The game.</param>
/// <param name="Names">Its names.</param>
internal sealed record GameSymbolRequests(EmulatorClient Emulator, long Frame, uint Epoch, GameInfo Game, GameSymbols Names)
{
    private const string GameBoy = "gb";

    /// <summary>Whether pointers have two bytes.</summary>
    public bool IsGameBoy => Game.Platform == GameBoy;

    /// <summary>The game's checksum.</summary>
    public uint Crc32 => (uint)Game.Crc32;

    /// <summary>Reads a file of names in the body and keeps them for a game, or answers with a problem and returns null.</summary>
    public static async Task<T?> LoadAsync<T>(HttpContext http, NameFile<T> read, Func<T, uint> crc32, Func<GameSymbols, T, GameSymbols> keep)
        where T : class
    {
        if (await RawBody.ReadAsync(http) is not { } body)
        {
            return null;
        }

        try
        {
            var book = http.Single<SymbolStore>();
            var loaded = read(body.IsSingleSegment ? body.FirstSpan : body.ToArray());
            if (book.Change(crc32(loaded), names => keep(names, loaded)) is not { } full)
            {
                return loaded;
            }

            await Problems.FullAsync(http, full);
        }
        catch (NameFormatException exception)
        {
            await Problems.BadRequestAsync(http, exception.Message);
        }
        finally
        {
            RawBody.Done(http, body);
        }

        return null;
    }

    /// <summary>Sends a command to the emulator, or answers with a problem.</summary>
    public static Task WithGameAsync(HttpContext http, Func<HttpContext, GameSymbolRequests, Task> then) => http.WithEmulatorAsync(async (http, emulator) =>
    {
        GameSymbolRequests naming;
        using (var reply = await emulator.SendAsync(new ReadGame(), default, http.RequestAborted))
        {
            if (reply.Failure is { } failure)
            {
                await Problems.WriteAsync(http, emulator.Id, failure);
                return;
            }

            var game = ReadGame.Parse(reply);
            naming = new GameSymbolRequests(emulator, reply.Frame, reply.Epoch, game, http.Single<SymbolStore>().Of((uint)game.Crc32));
        }

        await then(http, naming);
    });
}

/// <summary>Reads what a file of names says.</summary>
internal delegate T NameFile<T>(ReadOnlySpan<byte> file);
