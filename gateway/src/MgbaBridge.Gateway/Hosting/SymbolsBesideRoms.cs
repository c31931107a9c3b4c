using System.Collections.Concurrent;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Loads the symbols beside the ROMs that the gateway plays from its start, if the settings say so.</summary>
internal sealed class SymbolsBesideRoms(SymbolOptions options, SymbolStore store, ILogger<SymbolsBesideRoms> logger)
{
    private readonly ConcurrentDictionary<string, string> _files = new();

    /// <summary>The file whose symbols an emulator's game got; null for none.</summary>
    public string? FileOf(string emulator) => _files.GetValueOrDefault(emulator);

    /// <summary>Loads those of an emulator's game, unless it has symbols. A file that is wrong is a warning: it is there for other programs, too.</summary>
    public async Task LoadAsync(OwnedEmulator emulator, CancellationToken cancelled)
    {
        if (!options.BesideRoms || RomSymbols.Read(emulator.Request.Rom, (file, reason) => GatewayLog.SymbolsNotLoaded(logger, EscapedText.Of(file), reason)) is not var (file, table))
        {
            return;
        }

        var crc32 = await Crc32OfAsync(emulator, cancelled);
        if (store.Of(crc32).Symbols is not null)
        {
            return;
        }

        if (store.Change(crc32, names => names with { Symbols = table }) is { } full)
        {
            GatewayLog.SymbolsNotLoaded(logger, EscapedText.Of(file), full);
        }
        else
        {
            _files[emulator.Client.Id] = file;
        }
    }

    // a window answers when its user has loaded the script, and has the game of the file
    private static async Task<uint> Crc32OfAsync(OwnedEmulator emulator, CancellationToken cancelled)
    {
        using var game = emulator.Client.Health.Answers ? await emulator.Client.SendAsync(new ReadGame(), default, cancelled) : null;
        return game is { Failure: null } ? (uint)ReadGame.Parse(game).Crc32 : Crc32.Of(await File.ReadAllBytesAsync(emulator.Request.Rom, cancelled));
    }
}
