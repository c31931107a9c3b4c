using System.Security.Cryptography;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Bundled;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Starts, owns and stops emulators. They end with the gateway.</summary>
internal sealed class Supervisor : IAsyncDisposable
{
    /// <summary>How long an emulator may take to save and end; then it is killed. Its save is in the file already, and a busy disk takes a second.</summary>
    public static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(5);

    private readonly SupervisionServices _services;
    private readonly EmulatorRegistry _emulators;
    private readonly RomFolders _roms;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, OwnedEmulator> _owned = [];
    private int _starting;
    private bool _stopped;
    private Task? _stopping;

    /// <summary>Makes a supervisor that owns nothing yet.</summary>
    public Supervisor(OwnedEmulatorOptions options, EmulatorRegistry emulators, Programs programs, DataFolder data, StateStore states, RomUploads uploads, TimeProvider time, ILogger<Supervisor> logger)
    {
        _services = new SupervisionServices(options, programs, new EmulatorLauncher(options, programs, data), states, time, logger);
        _emulators = emulators;
        _roms = new RomFolders(options, uploads);
    }

    /// <summary>The owned emulators, in the order of their requests.</summary>
    public IReadOnlyList<OwnedEmulator> All
    {
        get
        {
            lock (_gate)
            {
                return [.. _emulators.All.Select(client => _owned.GetValueOrDefault(client.Id)).OfType<OwnedEmulator>()];
            }
        }
    }

    /// <summary>The owned emulator of this id, or null.</summary>
    public OwnedEmulator? Find(string id)
    {
        lock (_gate)
        {
            return _owned.GetValueOrDefault(id);
        }
    }

    /// <summary>Called when an emulator runs another ROM than before, before the restart is answered.</summary>
    public Func<OwnedEmulator, CancellationToken, Task> RomChanged { get; set; } = static (_, _) => Task.CompletedTask;

    /// <summary>Whether an emulator has ended with a save that neither its save file nor a state has.</summary>
    public bool HasLostSaves { get; private set; }

    /// <summary>Where the ROMs are that callers may start.</summary>
    public IReadOnlyList<string> RomFolders => _roms.Folders;

    /// <summary>The ROMs that callers may start, at most so many.</summary>
    public IReadOnlyList<string> Roms(int limit) => _roms.List(limit);

    /// <summary>Files in the folders of ROMs whose names are not UTF-8, at most so many.</summary>
    public IReadOnlyList<string> MisnamedRoms(int limit) => _roms.Misnamed(limit);

    /// <summary>Whether the hosts of a fleet, which have the same folders, find a ROM that a caller named. Without folders it is not known here, and no failure.</summary>
    public SupervisionResult CheckForHosts(string rom) =>
        BundledGames.Has(rom) || _services.Options.RomFolders.Length == 0 ? default : _roms.CheckConfigured(rom);

    /// <summary>Starts an emulator with a ROM and files that a caller named, and waits until it answers.</summary>
    public Task<SupervisionResult> StartNamedAsync(EmulatorRequest request)
    {
        var (rom, failure) = _roms.Find(request.Rom);
        if (rom is null)
        {
            return Task.FromResult(failure);
        }

        var options = request.Options;
        foreach (var option in EmulatorOption.All.OfType<EmulatorOption<string?>>())
        {
            if (option.File is { Missing: { } missing } file && option.Of(options) is { } named)
            {
                (var path, failure) = _roms.Find(named, option.Name, file.Kind, missing);
                if (path is null)
                {
                    return Task.FromResult(failure);
                }

                options = option.With(options, path);
            }
        }

        return StartAsync(request with { Rom = rom, Options = options });
    }

    /// <summary>Starts an emulator with any ROM, and waits until it answers.</summary>
    public async Task<SupervisionResult> StartAsync(EmulatorRequest request, CancellationToken cancellationToken = default)
    {
        lock (_gate)
        {
            if (_stopped || _owned.Count + _starting >= _services.Options.MaxEmulators)
            {
                return SupervisionResult.Refused(SupervisionFailure.TooMany, _stopped
                    ? "The gateway is stopping."
                    : $"Bridge:Owned:MaxEmulators allows {_services.Options.MaxEmulators} emulators. Stop one, or raise the setting.");
            }

            _starting++;
        }

        try
        {
            return await StartReservedAsync(request, cancellationToken);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return SupervisionResult.Refused(SupervisionFailure.StartFailed, exception.Message);
        }
        finally
        {
            lock (_gate)
            {
                _starting--;
            }
        }
    }

    /// <summary>Pauses or continues an emulator, and sets its frames a second.</summary>
    public Task<SupervisionResult> ChangeAsync(string id, bool? paused, double? fps) => ChangeAsync(id, emulator => emulator.ChangeAsync(paused, fps));

    /// <summary>Runs an emulator at least at this speed until the same owner releases it (null).</summary>
    public Task<SupervisionResult> HoldSpeedAsync(string id, string owner, double? fps) => ChangeAsync(id, emulator => emulator.HoldSpeedAsync(owner, fps));

    private async Task<SupervisionResult> ChangeAsync(string id, Func<OwnedEmulator, Task<string?>> change)
    {
        if (Find(id) is not { } emulator)
        {
            return NotOwned(id);
        }

        return emulator.Request.Options.Window
            ? SupervisionResult.Refused(SupervisionFailure.Unsupported, "A window is paused and its speed is set by its user (Emulation > Pause): mGBA gives scripts no way to do it. Only emulators without a window can be controlled.")
            : await change(emulator) is { } problem
                ? SupervisionResult.Refused(SupervisionFailure.NoAnswer, $"The emulator did not take the change: {problem.TrimEnd('.')}.")
                : SupervisionResult.Of(emulator);
    }

    /// <summary>Stops an emulator and starts it again with the same ROM, id and speed; the game starts with its save file.</summary>
    public async Task<SupervisionResult> RestartAsync(string id) =>
        Find(id) is not { } emulator ? NotOwned(id)
        : emulator.RomProblem is { } unusable ? SupervisionResult.Refused(SupervisionFailure.StartFailed, $"{unusable} Nothing was done: put the ROM there, and try again.")
        : await emulator.RestartAsync() is { } problem
            ? SupervisionResult.Refused(SupervisionFailure.StartFailed, $"The emulator did not start again: {problem.TrimEnd('.')}. It keeps its id, and is tried again as after a fault.")
            : SupervisionResult.Of(emulator);

    /// <summary>Stops an emulator: it saves its game, requests under way finish, its connections close.</summary>
    public Task<SupervisionResult> StopAsync(string id) => StopAsync(id, static emulator => emulator.ReleaseWithSaveAsync());

    /// <summary>Ends an emulator at once, also one that is held: nothing is saved.</summary>
    public Task<SupervisionResult> KillAsync(string id) => StopAsync(id, static emulator => emulator.KillAsync());

    /// <summary>Starts no more emulators, and ends the supervision of those that run.</summary>
    public Task ReleaseAllAsync()
    {
        lock (_gate)
        {
            _stopped = true;
        }

        return Task.WhenAll(All.Select(emulator => emulator.ReleaseAsync()));
    }

    /// <summary>Ends the supervision of all emulators while they are connected, and keeps the saves that their save files do not have.</summary>
    public Task ReleaseAllWithSavesAsync() => Task.WhenAll(All.Select(emulator => emulator.ReleaseWithSaveAsync()));

    /// <summary>Stops all emulators, and starts no more. A second caller waits for the same end.</summary>
    public Task StopAllAsync()
    {
        lock (_gate)
        {
            if (_stopping is not null)
            {
                return _stopping;
            }

            _stopped = true;
            OwnedEmulator[] all = [.. _owned.Values];
            _owned.Clear();
            return _stopping = Task.Run(() => Task.WhenAll(all.Select(EndAsync)));
        }
    }

    public async ValueTask DisposeAsync() => await StopAllAsync();

    private async Task<SupervisionResult> StartReservedAsync(EmulatorRequest request, CancellationToken cancellationToken)
    {
        if ((request.Options.Window ? _services.Programs.Window : _services.Programs.Headless) is null)
        {
            return SupervisionResult.Refused(SupervisionFailure.ProgramMissing, _services.Programs.Missing(request.Options.Window));
        }

        var archive = RomArchive.Read(request.Rom);
        if (archive?.Problem is { } unplayable)
        {
            return SupervisionResult.Refused(SupervisionFailure.StartFailed, $"{request.Rom}: {unplayable}");
        }

        if (request.Options.Window)
        {
            EmulatorLauncher.BeginAnywhere(); // a window whose port another program takes at the same moment is not started again
        }

        var address = new EmulatorAddress
        {
            Port = request.Port ?? EmulatorLauncher.FreePort(),
            Nonce = RandomNumberGenerator.GetHexString(32, lowercase: true),
            Secret = Environment.GetEnvironmentVariable(EmulatorAddress.SecretVariable) is { Length: > 0 } secret ? secret : null,
            IsRestarted = !request.Options.Window,
        };
        if (AddClient(request.Id, address, request.Lease) is not { } client)
        {
            return SupervisionResult.Refused(SupervisionFailure.IdTaken, $"An emulator has the id {request.Id}. Choose another id, or omit it.");
        }

        if (archive?.LeftOut is { Count: > 0 } leftOut)
        {
            SupervisionLog.LeftOutOfArchive(_services.Logger, client.Id, string.Join(", ", leftOut));
        }

        OwnedEmulator? emulator = null;
        SaveReservation? save = null;
        try
        {
            save = SavesFor(request, client.Id);
            emulator = new OwnedEmulator(request, client, address, save, _services);
            if (await emulator.StartAsync(cancellationToken) is { } problem)
            {
                await EndAsync(emulator);
                return SupervisionResult.Refused(
                    problem.Failure,
                    $"The emulator did not start: {problem.Text.TrimEnd('.')}.{(request.Beside.Count > 0 ? $" Beside the ROM, and applied, is {string.Join(" and ", request.Beside)}; --no-auto leaves out such files." : "")}");
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // as when the disk is full; the id must not stay taken
            await (emulator is null ? RemoveAsync(client) : EndAsync(emulator));
            save?.Dispose();
            throw;
        }

        emulator.Ended += ended => _ = Task.Run(() => StopAsync(ended.Client.Id));
        emulator.Rebuilt += rebuilt => _ = Task.Run(rebuilt.RestartAsync); // the supervision, which tells this, ends first
        emulator.RomChanged = (changed, cancelled) => RomChanged(changed, cancelled);
        lock (_gate)
        {
            _owned.Add(client.Id, emulator);
            if (!_stopped)
            {
                return SupervisionResult.Of(emulator);
            }
        }

        await StopAsync(client.Id);
        return SupervisionResult.Refused(SupervisionFailure.TooMany, "The gateway is stopping.");
    }

    private EmulatorClient? AddClient(string? id, EmulatorAddress address, HostLease? lease)
    {
        if (id is not null)
        {
            return _emulators.Add(id, address, lease);
        }

        for (var number = 1; ; number++)
        {
            if (_emulators.Add(FormattableString.Invariant($"{number}"), address) is { } client)
            {
                return client;
            }
        }
    }

    /// <summary>
    /// Two emulators must not write the same save file: the first one of a ROM has the one beside it. If that is in use or the folder cannot be
    /// written, the save is in the data folder, and belongs to the ROM whatever the emulator's id is; further emulators of the ROM have one of their own.
    /// An emulator without saves has a folder that begins empty.
    /// </summary>
    private SaveReservation SavesFor(EmulatorRequest request, string id)
    {
        var own = () => Directory.CreateDirectory(Path.Combine(_services.Launcher.FolderOf(id), "saves")).FullName;
        if (request.SaveOfState)
        {
            return SaveReservation.Take(own(), request.Rom);
        }

        if (request.Options.NoSaves)
        {
            var unsaved = Path.Combine(_services.Launcher.FolderOf(id), "unsaved");
            if (Directory.Exists(unsaved))
            {
                Directory.Delete(unsaved, recursive: true);
            }

            return SaveReservation.Take(Directory.CreateDirectory(unsaved).FullName, request.Rom);
        }

        foreach (var folder in (Func<string>[])[() => Path.GetDirectoryName(request.Rom)!, () => _services.Launcher.SavesOf(request.Rom)])
        {
            try
            {
                return SaveReservation.Take(folder(), request.Rom);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // not there
            }
        }

        return SaveReservation.Take(own(), request.Rom);
    }

    private async Task<SupervisionResult> StopAsync(string id, Func<OwnedEmulator, Task> before)
    {
        OwnedEmulator? emulator;
        lock (_gate)
        {
            _owned.Remove(id, out emulator);
        }

        if (emulator is null)
        {
            return NotOwned(id);
        }

        await before(emulator);
        await EndAsync(emulator);
        return SupervisionResult.Of(emulator);
    }

    private async Task EndAsync(OwnedEmulator emulator)
    {
        await emulator.ReleaseAsync();
        try
        {
            await RemoveAsync(emulator.Client);
        }
        finally
        {
            await emulator.DisposeAsync();
            if (emulator.HasLostSave)
            {
                HasLostSaves = true;
            }
        }
    }

    private async Task RemoveAsync(EmulatorClient client)
    {
        using var timeLimit = new CancellationTokenSource(StopTimeout);
        await _emulators.RemoveAsync(client, timeLimit.Token);
    }

    /// <summary>Why an emulator that the gateway did not start cannot be stopped or changed.</summary>
    public SupervisionResult NotOwned(string id) => !_emulators.TryGet(id, null, out _) ? SupervisionResult.Refused(SupervisionFailure.NoSuchEmulator, $"No emulator has the id {id}.") : SupervisionResult.Refused(
        SupervisionFailure.NotOwned, $"The gateway did not start emulator {id}, so it can neither stop it nor change how it runs.");
}
