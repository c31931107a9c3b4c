using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>The game that is open, with its symbols and properties.</summary>
/// <param name="Frame">The frame in which it was read.</param>
/// <param name="Epoch">The epoch in which it was open.</param>
/// <param name="Game">The game.</param>
/// <param name="Names">Its symbols and properties.</param>
internal sealed record GameContext(long Frame, Epoch Epoch, GameInfo Game, GameSymbols Names)
{
    private const string GameBoy = "gb";

    /// <summary>Whether pointers have two bytes.</summary>
    public bool IsGameBoy => Game.Platform == GameBoy;

    /// <summary>The game's checksum.</summary>
    public uint Crc32 => (uint)Game.Crc32;

    /// <summary>Reads it and makes the result of an operation with it.</summary>
    public static async ValueTask<Result<T>> WithAsync<T>(Invocation invocation, Func<GameContext, ValueTask<Result<T>>> then)
    {
        var (game, failure) = await ReadAsync(invocation);
        return game is null ? Failure.Of(failure!) : await then(game);
    }

    /// <summary>As above, for an operation that needs nothing else of the emulator.</summary>
    public static ValueTask<Result<T>> WithAsync<T>(Invocation invocation, Func<GameContext, Result<T>> then) =>
        WithAsync(invocation, game => ValueTask.FromResult(then(game)));

    /// <summary>Reads a file of names, keeps it for the open game and makes the result.</summary>
    public static ValueTask<Result<T>> LoadAsync<TFile, T>(
        Invocation invocation, ReadOnlySequence<byte> bytes, NameFile<TFile> read, Func<TFile, GameContext, uint> crc32, Func<GameSymbols, TFile, GameSymbols> keep, Func<GameContext, TFile, Result<T>> then)
        where TFile : class => WithAsync(invocation, game =>
        {
            try
            {
                var file = read(bytes.IsSingleSegment ? bytes.FirstSpan : bytes.ToArray());
                return invocation.Get<SymbolStore>().Change(crc32(file, game), names => keep(names, file)) is { } full ? new Failure(FailureKind.MemoryFull, full) : then(game, file);
            }
            catch (NameFormatException exception)
            {
                return Failure.BadRequest(exception.Message);
            }
        });

    /// <summary>Reads it.</summary>
    public static ValueTask<(GameContext? Game, CommandFailure? Failure)> ReadAsync(Invocation invocation) =>
        ReadAsync(invocation.Emulator, invocation.Get<SymbolStore>(), invocation.Options, invocation.Cancelled);

    /// <summary>As above, for a caller that runs no operations.</summary>
    public static async ValueTask<(GameContext? Game, CommandFailure? Failure)> ReadAsync(
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
}

/// <summary>Parses a file of names.</summary>
internal delegate T NameFile<T>(ReadOnlySpan<byte> file);
