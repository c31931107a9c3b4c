using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>The game that is open, with its symbols and properties.</summary>
/// <param name="Frame">The frame in which it was read.</param>
/// <param name="Epoch">The epoch in which it was open.</param>
/// <param name="Game">The game.</param>
/// <param name="Names">Its symbols and properties.</param>
internal sealed record GameContext(long Frame, uint Epoch, GameInfo Game, GameSymbols Names)
{
    private const string GameBoy = "gb";

    /// <summary>Whether pointers have two bytes.</summary>
    public bool IsGameBoy => Game.Platform == GameBoy;

    /// <summary>The game's checksum.</summary>
    public uint Crc32 => (uint)Game.Crc32;

    /// <summary>Reads it and makes the result of an operation with it.</summary>
    public static async ValueTask<OperationResult<T>> WithAsync<T>(OperationContext context, Func<GameContext, ValueTask<OperationResult<T>>> then)
    {
        var (game, failure) = await ReadAsync(context.Emulator, context.Single<SymbolStore>(), context.Options, context.Cancelled);
        return game is null ? Refusal.Of(failure!) : await then(game);
    }

    /// <summary>As above, for an operation that needs nothing else of the emulator.</summary>
    public static ValueTask<OperationResult<T>> WithAsync<T>(OperationContext context, Func<GameContext, OperationResult<T>> then) =>
        WithAsync(context, game => ValueTask.FromResult(then(game)));

    /// <summary>Reads a file of names from the HTTP body, keeps it for the open game and writes the response.</summary>
    public static Task LoadAsync<T>(HttpContext http, NameFile<T> read, Func<T, GameContext, uint> crc32, Func<GameSymbols, T, GameSymbols> keep, Func<GameContext, T, ValueTask> write)
        where T : class => http.WithEmulatorAsync(async (http, emulator) =>
        {
            var store = http.Single<SymbolStore>();
            var (game, failure) = await ReadAsync(emulator, store, default, http.RequestAborted);
            if (game is null)
            {
                await Problems.WriteAsync(http, emulator.Id, failure!);
            }
            else if (await ReadFileAsync(http, read) is { } file)
            {
                await (store.Change(crc32(file, game), names => keep(names, file)) is { } full ? Problems.FullAsync(http, full) : write(game, file));
            }
        });

    /// <summary>Reads it.</summary>
    public static async ValueTask<(GameContext? Game, FailureReport? Failure)> ReadAsync(
        EmulatorClient emulator, SymbolStore store, RequestOptions options, CancellationToken cancellationToken)
    {
        using var reply = await emulator.SendAsync(new ReadGame(), options, cancellationToken);
        if (reply.Failure is { } failure)
        {
            return (null, failure);
        }

        var game = ReadGame.Parse(reply);
        return (new GameContext(reply.Frame, reply.Epoch, game, store.Of((uint)game.Crc32)), null);
    }

    // null when the response has been written, because something is wrong with the file
    private static async Task<T?> ReadFileAsync<T>(HttpContext http, NameFile<T> read)
        where T : class
    {
        if (await RawBody.ReadAsync(http) is not { } body)
        {
            return null;
        }

        try
        {
            return read(body.IsSingleSegment ? body.FirstSpan : body.ToArray());
        }
        catch (NameFormatException exception)
        {
            await Problems.BadRequestAsync(http, exception.Message);
            return null;
        }
        finally
        {
            RawBody.Done(http, body);
        }
    }
}

/// <summary>Parses a file of names.</summary>
internal delegate T NameFile<T>(ReadOnlySpan<byte> file);
