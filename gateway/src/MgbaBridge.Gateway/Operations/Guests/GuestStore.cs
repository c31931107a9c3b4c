using System.Security.Cryptography;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Guests;

/// <summary>
/// The links of guests, whose tokens are valid beside those of the settings. A link ends when its time is up, when an owner ends it, and with the gateway,
/// unless it is kept. Only the SHA-256 of a token is known.
/// </summary>
internal sealed class GuestStore : IDisposable
{
    /// <summary>The most links at once.</summary>
    public const int Max = 32;

    /// <summary>The file in which they are kept.</summary>
    public const string FileName = "guests.json";

    /// <summary>What the name of a file that cannot be read gets.</summary>
    public const string Damaged = ".damaged";

    /// <summary>How long a link lasts unless the owner says otherwise.</summary>
    public static readonly TimeSpan DefaultLifetime = TimeSpan.FromDays(1);

    // the system's timers have a limit, and the clock may be set
    private static readonly TimeSpan MaxWait = TimeSpan.FromDays(1);

    private readonly CredentialStore _credentials;
    private readonly EmulatorRegistry _emulators;
    private readonly TransportSettings _transport;
    private readonly DataFolder? _keptIn;
    private readonly TimeProvider _time;
    private readonly Lock _gate = new();
    private Guest[] _guests = [];

    /// <summary>Makes it, with those that were kept.</summary>
    /// <param name="credentials">Where their tokens become valid.</param>
    /// <param name="emulators">Where they hold keys.</param>
    /// <param name="transport">How long a request of theirs may be in progress.</param>
    /// <param name="keptIn">Where they are kept; null for nowhere.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Where a file that cannot be read is logged.</param>
    public GuestStore(CredentialStore credentials, EmulatorRegistry emulators, TransportSettings transport, DataFolder? keptIn, TimeProvider time, ILogger<GuestStore> logger)
    {
        (_credentials, _emulators, _transport, _keptIn, _time) = (credentials, emulators, transport, keptIn, time);
        try
        {
            foreach (var guest in Read(logger))
            {
                Begin(guest);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            GatewayLog.GuestsUnreadable(logger, FileName, exception.Message);
        }
    }

    /// <summary>All, the oldest first.</summary>
    public IReadOnlyList<Guest> All => Volatile.Read(ref _guests);

    /// <summary>The guest of an id, or null.</summary>
    public Guest? Find(string id) => All.FirstOrDefault(guest => guest.Id == id);

    /// <summary>Makes a link. Null when there are as many as may be.</summary>
    /// <exception cref="IOException">It could not be kept, and is not valid.</exception>
    public (Guest Guest, string Token)? Add(string name, Role role, TimeSpan lifetime)
    {
        var token = Credential.NewToken();
        var guest = new Guest(RandomNumberGenerator.GetHexString(8, lowercase: true), name, _time.GetUtcNow() + lifetime, Credential.OfGuest(role, Credential.HashOf(token)));
        lock (_gate)
        {
            if (_guests.Length >= Max)
            {
                return null;
            }

            Write([.. _guests, guest]);
            Begin(guest);
        }

        return (guest, token);
    }

    /// <summary>Gives a guest another role. What is open for the guest ends; the page opens it again.</summary>
    /// <exception cref="IOException">It could not be kept: it is so until the gateway ends.</exception>
    public void Change(Guest guest, Role role)
    {
        lock (_gate)
        {
            if (!_guests.Contains(guest) || guest.Credential.Role == role)
            {
                return;
            }

            var before = guest.Credential;
            guest.Credential = before.With(role);
            Apply([]);
            Release(before);
            Write(_guests);
        }
    }

    /// <summary>Ends links: their tokens are no longer valid, what is open for them ends, and their keys are released. Returns how many there were.</summary>
    /// <exception cref="IOException">They have ended, and could not be removed from where they are kept.</exception>
    public int End(Func<Guest, bool> which)
    {
        lock (_gate)
        {
            Guest[] ended = [.. _guests.Where(which)];
            if (ended.Length == 0)
            {
                return 0;
            }

            Volatile.Write(ref _guests, [.. _guests.Except(ended)]);
            foreach (var guest in ended)
            {
                guest.Timer?.Dispose();
            }

            Apply(ended);
            foreach (var guest in ended)
            {
                Release(guest.Credential);
            }

            Write(_guests);
            return ended.Length;
        }
    }

    /// <summary>Adds a WebSocket of a caller until it is disposed; null for callers who are no guests.</summary>
    public GuestConnection? Enter(Credential? credential, string holder, string emulator) =>
        All.FirstOrDefault(guest => guest.Credential == credential)?.Enter(holder, emulator, _time.GetUtcNow());

    public void Dispose()
    {
        foreach (var guest in All)
        {
            guest.Timer?.Dispose();
        }
    }

    private void Begin(Guest guest)
    {
        if (IsOver(guest))
        {
            Apply([guest]);
            return;
        }

        Volatile.Write(ref _guests, [.. _guests, guest]);
        Apply([]);
        guest.Timer = _time.CreateTimer(_ => Expire(guest), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Await(guest);
    }

    private bool IsOver(Guest guest) => guest.Until <= _time.GetUtcNow();

    private void Await(Guest guest)
    {
        var left = guest.Until - _time.GetUtcNow();
        guest.Timer!.Change(left > MaxWait ? MaxWait : left > TimeSpan.Zero ? left : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
    }

    private void Apply(IEnumerable<Guest> ended) => _credentials.ChangeGuests(_guests.Select(static guest => guest.Credential), ended.Select(static guest => guest.Credential));

    private void Expire(Guest guest)
    {
        if (!IsOver(guest))
        {
            Await(guest);
            return;
        }

        try
        {
            End(one => one == guest);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // it has ended, and its time is in the file
        }
    }

    // WebSockets release what they hold when they end. What requests over HTTP hold has the credential as its owner; once more when those in progress are over.
    private void Release(Credential credential) => _ = ReleaseAsync(credential.Owner!);

    private async Task ReleaseAsync(Holder owner)
    {
        for (var round = 0; round < 2; round++)
        {
            await Task.WhenAll(_emulators.All.Where(static emulator => emulator.Health.IsConnected).Select(emulator => emulator.Releases.ReleaseAsync(Holder.Http, owner, begun: true)));
            await Task.Delay(_transport.Now.RequestTimeout, _time);
        }
    }

    // null where none are kept
    private string? KeptFile()
    {
        var file = _keptIn is null ? null : Path.Combine(_keptIn.Path, FileName);
        return !Directory.Exists(file) ? file : throw new IOException($"{file} is a folder, and has to be a file.");
    }

    private Guest[] Read(ILogger logger)
    {
        if (KeptFile() is not { } file || !File.Exists(file))
        {
            return [];
        }

        try
        {
            return [.. (JsonSerializer.Deserialize(File.ReadAllBytes(file), GuestJson.Default.KeptGuestArray) ?? []).Select(KeptGuest.ToGuest)];
        }
        catch (Exception exception) when (exception is JsonException or FormatException)
        {
            File.Move(file, file + Damaged, overwrite: true);
            GatewayLog.GuestsDamaged(logger, FileName);
            return [];
        }
    }

    private void Write(IEnumerable<Guest> guests)
    {
        if (KeptFile() is { } file)
        {
            KeptGuest[] kept = [.. guests.Select(static guest => new KeptGuest(guest.Id, guest.Name, guest.Credential.Role, guest.Until, guest.Credential.Hash))];
            DataFolder.WriteAtomically(file, JsonSerializer.SerializeToUtf8Bytes(kept, GuestJson.Default.KeptGuestArray));
        }
    }
}

/// <summary>A guest in the file.</summary>
/// <param name="Id">The id.</param>
/// <param name="Name">What the owner calls the guest.</param>
/// <param name="Role">The role.</param>
/// <param name="Until">When the link ends.</param>
/// <param name="Hash">The SHA-256 of the token in hexadecimal digits.</param>
internal sealed record KeptGuest(string Id, string Name, Role Role, DateTimeOffset Until, string Hash)
{
    /// <summary>The guest that was kept. A link never has the role owner.</summary>
    /// <exception cref="FormatException">It is none that the gateway has written.</exception>
    public static Guest ToGuest(KeptGuest? kept) => kept is { Role: Role.Viewer or Role.Guest or Role.Player, Hash.Length: SHA256.HashSizeInBytes * 2 }
        ? new Guest(kept.Id, kept.Name, kept.Until, Credential.OfGuest(kept.Role, Convert.FromHexString(kept.Hash))) : throw new FormatException();
}
