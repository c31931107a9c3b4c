using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>A game as its processor sees it: addresses on the bus and banks, and their names.</summary>
/// <param name="Game">The game that is open.</param>
/// <param name="Domains">The parts of its memory.</param>
internal sealed record DebuggedGame(GameContext Game, IReadOnlyList<MemoryDomain> Domains)
{
    /// <summary>Reads it.</summary>
    public static async ValueTask<(DebuggedGame? Game, Failure? Failure)> ReadAsync(Invocation invocation)
    {
        var (game, unread) = await GameContext.ReadAsync(invocation);
        if (game is null)
        {
            return (null, Failure.Of(unread!));
        }

        using var domains = await invocation.Emulator.SendAsync(new ListDomains(), invocation.Options with { Epoch = game.Epoch }, invocation.Cancelled);
        return domains.Failure is { } failure ? (null, Failure.Of(failure)) : (new DebuggedGame(game, ListDomains.Parse(domains)), null);
    }

    /// <summary>Finds what a caller names by an address, an offset in a domain, a property or a symbol. Pointers are followed once.</summary>
    /// <param name="invocation">Whose request it is.</param>
    /// <param name="text">The name.</param>
    /// <param name="length">How many bytes have to be in one bank; null for those of what is named.</param>
    public async ValueTask<(BusPlace? Place, Failure? Failure)> FindAsync(Invocation invocation, string text, long? length = null)
    {
        var (isLocation, size) = (Location.TryParse(text, out var location), 0);
        if (!isLocation && !ValueLocation.TryParse(text, out _) && Game.Names.Properties?.Find(text) is null)
        {
            return (null, Failure.BadRequest($"\"{text}\" is no place. {ValueLocation.ExpectedFormat}"));
        }

        if (!isLocation)
        {
            var (found, failure) = await TypedLocations.ByNameAsync(invocation, Game, text, new ValueShape { Type = "" });
            if (found is null)
            {
                return (null, failure);
            }

            (location, size) = (found.Location, found.Type.Size);
        }

        var bytes = length ?? Math.Max(size, 1);
        if (BankedAddress.Of(location, Domains, Game.IsGameBoy) is not { Address: >= 0 and <= uint.MaxValue } at)
        {
            return (null, Failure.BadRequest($"{text} is beyond the memory of this game."));
        }

        var last = BankedAddress.Of(location with { Offset = location.Offset + bytes - 1 }, Domains, Game.IsGameBoy);
        return last == at with { Address = at.Address + bytes - 1 }
            ? (new BusPlace(at, bytes), null)
            : (null, Failure.BadRequest($"{text} and {bytes} bytes reach beyond its bank or its domain, which ends before."));
    }

    /// <summary>The bank of a Game Boy that is mapped at an address; null where there are none. Of a game that is halted behind an access it is that of the access.</summary>
    public async ValueTask<long?> BankOfAsync(Invocation invocation, long address) => Game.IsGameBoy && await HardwareOperations.BanksAsync(invocation) is { } banks
        ? address switch
        {
            >= 0x4000 and < 0x8000 => banks["rom"],
            >= 0x8000 and < 0xA000 => banks["vram"],
            >= 0xA000 and < 0xC000 => banks["sram"],
            >= 0xD000 and < 0xE000 => banks["wram"],
            _ => null,
        }
        : null;

    /// <summary>The name of an address in a bank; null when none is known, or when the game was another one in this epoch.</summary>
    public Func<long, long?, string?> NamesIn(Epoch epoch)
    {
        if (epoch != Game.Epoch)
        {
            return static (_, _) => null;
        }

        var names = new PlaceNames(Game.Names, Domains);
        return (address, bank) => names.NameOf(new BankedAddress(address, Game.IsGameBoy ? bank : null).Location);
    }
}

/// <summary>A place that a caller has named.</summary>
/// <param name="At">Where it is.</param>
/// <param name="Bytes">How many bytes it has; 1 where the name says nothing about it.</param>
internal readonly record struct BusPlace(BankedAddress At, long Bytes);
