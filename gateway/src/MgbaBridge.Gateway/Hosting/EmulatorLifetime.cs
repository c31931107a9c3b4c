using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Search;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations.Votes;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Connects and starts emulators when the gateway starts, and lets requests finish when it stops.</summary>
internal sealed class EmulatorLifetime(
    EmulatorRegistry emulators, Supervisor supervisor, Programs programs, OwnedEmulatorOptions owned, Rewinds rewinds, RecordingStore recordings, Searches searches, VoteRegistry votes, SymbolsBesideRoms symbols,
    HttpOptions options, TimeProvider time, ILogger<EmulatorLifetime> logger)
    : HostedLifecycle
{
    private const int ShownCheats = 10;
    private const int StartedAtOnce = 8;

    /// <summary>
    /// Clients connect as soon as they are made. Emulators of the settings start side by side, with ids in their order; those without a limit of frames run none
    /// until all have started, or they would take the processors from those that start.
    /// </summary>
    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        supervisor.RomChanged = symbols.ReloadAsync;
        emulators.Removed += client => _ = ForgetAsync(client);
        var options = owned.WithFullPaths();
        var waits = !options.Paused && (options.State is not null || (options is { Fps: 0, Window: false } && owned.Roms.Length > 1));
        var started = new List<OwnedEmulator>();
        foreach (var roms in owned.Roms.Index().Chunk(StartedAtOnce))
        {
            var results = await Task.WhenAll(roms.Select(rom => supervisor.StartAsync(
                WithFilesBeside(rom.Item, options with { State = null, Paused = options.Paused || waits, Gdb = options.Gdb + rom.Index }) with { Port = owned.ScriptPort + rom.Index, Continues = !options.Fresh && options.State is null },
                cancellationToken)));
            cancellationToken.ThrowIfCancellationRequested();
            started.AddRange(results.Select(static result => result.Detail is { } detail ? throw new EmulatorStartException(detail) : result.Emulator!));
        }

        foreach (var emulator in started)
        {
            if (options.State is { } state)
            {
                await LoadAsync(emulator, state, cancellationToken);
            }

            await symbols.LoadAsync(emulator, cancellationToken);
            if (emulator.Request.Options.Cheats is { } cheats)
            {
                await ReportCheatsAsync(emulator.Client, cheats, cancellationToken);
            }
        }

        foreach (var emulator in waits ? started : [])
        {
            if ((await supervisor.ChangeAsync(emulator.Client.Id, paused: false, fps: null)).Detail is { } detail)
            {
                throw new EmulatorStartException(detail);
            }
        }
    }

    // only those of run, whose user plays them: others start what they name, and nothing else
    private EmulatorRequest WithFilesBeside(string rom, EmulatorOptions options)
    {
        var file = FileOf(rom);
        if (!owned.AllowRomFolder || options.NoAuto || options.Window || BundledGames.Has(rom))
        {
            return new EmulatorRequest(file, options);
        }

        var patch = options.Patch is null ? FilesBesideRom.PatchOf(file) : null;
        var cheats = options.Cheats is null ? FilesBesideRom.CheatsOf(file) : null;
        return new EmulatorRequest(file, options with { Patch = options.Patch ?? patch, Cheats = options.Cheats ?? cheats }) { Beside = [.. new[] { patch, cheats }.OfType<string>()] };
    }

    private string FileOf(string rom) => programs.BundledGame(rom) ?? Path.GetFullPath(rom);

    // the emulator takes a file of which it can use one cheat, and lists the others with it
    private async Task ReportCheatsAsync(EmulatorClient client, string file, CancellationToken cancelled)
    {
        using var listed = await client.SendAsync(new ListCheats(), default, cancelled);
        Cheat[] unusable = [.. (listed.Failure is null ? ListCheats.Parse(listed) : []).Where(static cheat => cheat.Problem is not null)];
        foreach (var cheat in unusable.Take(ShownCheats))
        {
            GatewayLog.CheatUnusable(logger, EscapedText.Of(cheat.Name), EscapedText.Of(file), EscapedText.Of(cheat.Problem!));
        }

        if (unusable.Length > ShownCheats)
        {
            GatewayLog.CheatsUnusable(logger, unusable.Length - ShownCheats, EscapedText.Of(file));
        }
    }

    // it is paused, so that no frame runs before
    private static async Task LoadAsync(OwnedEmulator emulator, string file, CancellationToken cancelled)
    {
        string? problem;
        try
        {
            await using var input = File.OpenRead(file);
            var state = new byte[Limits.Tail + 1];
            var length = await input.ReadAtLeastAsync(state, state.Length, throwOnEndOfStream: false, cancelled);
            using var loaded = length <= Limits.Tail
                ? await emulator.Client.SendAsync(new LoadState(new ReadOnlySequence<byte>(state, 0, length), null), default, cancelled)
                : throw new IOException($"it has more than {Limits.Tail} bytes.");
            problem = loaded.Failure?.Detail;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            problem = exception.Message;
        }

        if (problem is not null)
        {
            throw new EmulatorStartException($"The state {file} cannot be loaded: {problem}");
        }
    }

    /// <summary>The server has finished what ran, and the emulators are still connected.</summary>
    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await votes.EndAsync();
        await supervisor.ReleaseAllWithSavesAsync();
    }

    /// <summary>The server has stopped accepting and finished what ran; then the sockets to the emulators close quietly, and the owned ones end.</summary>
    public override async Task StoppedAsync(CancellationToken cancellationToken)
    {
        using var timeLimit = new CancellationTokenSource(options.DrainTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeLimit.Token);
        await emulators.DrainAsync(either.Token);
        await supervisor.StopAllAsync();
    }

    /// <summary>From now on the end of an owned emulator is not a failure: Ctrl-C may reach them as well.</summary>
    public override Task StoppingAsync(CancellationToken cancellationToken) => supervisor.ReleaseAllAsync();

    private async Task ForgetAsync(EmulatorClient client)
    {
        await votes.ForgetAsync(client);
        await rewinds.StopAsync(client);
        foreach (var recorder in recordings.Of(client))
        {
            await recordings.ForgetAsync(recorder);
        }

        foreach (var search in searches.Of(client))
        {
            searches.Remove(search);
        }
    }
}

/// <summary>An emulator that the settings name does not start.</summary>
internal sealed class EmulatorStartException(string message) : Exception(message);
