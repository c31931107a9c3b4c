using System.Collections.Concurrent;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Loads the names beside the ROMs that the gateway plays from its start, and again with another build of a ROM.</summary>
internal sealed class SymbolsBesideRoms(SymbolStore store, ILogger<SymbolsBesideRoms> logger)
{
    private readonly ConcurrentDictionary<OwnedEmulator, Names> _names = new();

    /// <summary>The file whose symbols an emulator's game got; null for none.</summary>
    public string? FileOf(OwnedEmulator emulator) => _names.GetValueOrDefault(emulator)?.File;

    /// <summary>Loads those of an emulator's game, unless it has symbols, and its game pack, unless it has a property map. A file that is wrong is a warning: it is there for other programs, too.</summary>
    public async Task LoadAsync(OwnedEmulator emulator, CancellationToken cancelled)
    {
        var crc32 = await Crc32OfAsync(emulator, cancelled);
        LoadPack(emulator.Request.Rom, crc32);
        _names[emulator] = Load(emulator.Request.Rom, crc32) ?? new Names(crc32, null, default, null);
    }

    /// <summary>The emulator runs another build of its ROM: the names of the one before would be wrong.</summary>
    public async Task ReloadAsync(OwnedEmulator emulator, CancellationToken cancelled)
    {
        if (!_names.TryRemove(emulator, out var before))
        {
            return; // not of the settings
        }

        try
        {
            await ReplaceAsync(emulator, before, cancelled);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            _names[emulator] = before with { Table = null };
            GatewayLog.SymbolsNotLoaded(logger, EscapedText.Of(before.File ?? emulator.Request.Rom), exception.Message); // as when the ROM is being built once more
        }
    }

    private async Task ReplaceAsync(OwnedEmulator emulator, Names before, CancellationToken cancelled)
    {

        if (before.Table is { } old && !_names.Values.Any(other => other.Crc32 == before.Crc32))
        {
            store.Change(before.Crc32, names => ReferenceEquals(names.Symbols, old) ? names with { Symbols = null } : names);
        }

        await LoadAsync(emulator, cancelled);
        if (_names.GetValueOrDefault(emulator) is { File: { } file } now)
        {
            GatewayLog.SymbolsReloaded(logger, emulator.Client.Id, EscapedText.Of(file));
            if ((file, now.WrittenAt) == (before.File, before.WrittenAt))
            {
                GatewayLog.SymbolsOlder(logger, EscapedText.Of(file));
            }
        }
    }

    private Names? Load(string rom, uint crc32)
    {
        if (store.Of(crc32).Symbols is not null || RomSymbols.Read(rom, (file, reason) => GatewayLog.SymbolsNotLoaded(logger, EscapedText.Of(file), reason)) is not var (file, table))
        {
            return null;
        }

        if (store.Change(crc32, names => names with { Symbols = table }) is not { } full)
        {
            return new Names(crc32, file, File.GetLastWriteTimeUtc(file), table);
        }

        GatewayLog.SymbolsNotLoaded(logger, EscapedText.Of(file), full);
        return null;
    }

    private void LoadPack(string rom, uint crc32)
    {
        if (store.Of(crc32).Properties is not null || RomSymbols.ReadPack(rom, (file, reason) => GatewayLog.SymbolsNotLoaded(logger, EscapedText.Of(file), reason)) is not var (file, map))
        {
            return;
        }

        var wrong = map.Crc32 is { } other && other != crc32
            ? $"It is of the ROM with the CRC32 {Hex.Of(other)}; this one has {Hex.Of(crc32)}."
            : store.Change(crc32, names => names with { Properties = map });
        if (wrong is not null)
        {
            GatewayLog.SymbolsNotLoaded(logger, EscapedText.Of(file), wrong);
        }
    }

    // a window answers when its user has loaded the script, and has the game of the file
    private static async Task<uint> Crc32OfAsync(OwnedEmulator emulator, CancellationToken cancelled)
    {
        using var game = emulator.Client.Health.Answers ? await emulator.Client.SendAsync(new ReadGame(), default, cancelled) : null;
        return game is { Failure: null } ? (uint)ReadGame.Parse(game).Crc32 : Crc32.Of(await File.ReadAllBytesAsync(emulator.Request.Rom, cancelled));
    }

    /// <summary>What was loaded for an emulator.</summary>
    /// <param name="Crc32">The CRC32 of its game.</param>
    /// <param name="File">The file, or null for none.</param>
    /// <param name="WrittenAt">When it was written.</param>
    /// <param name="Table">Its symbols.</param>
    private sealed record Names(uint Crc32, string? File, DateTime WrittenAt, SymbolTable? Table);
}
