using System.Buffers;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Operations.Guests;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Operations.Guests;

public sealed class GuestStoreTests
{
    [Fact]
    public async Task Link_WhoseTimeIsUp_IsNoLongerValid()
    {
        var time = new ManualTime();
        var credentials = new CredentialStore("owner-token-0123456789", []);
        var transport = new TransportSettings(new TransportOptions());
        await using var emulators = new EmulatorRegistry([], transport, time, MemoryPool<byte>.Shared, NullLogger<EmulatorRegistry>.Instance);
        using var store = new GuestStore(credentials, emulators, transport, null, time, NullLogger<GuestStore>.Instance);
        var (guest, token) = store.Add("Ann", Role.Guest, TimeSpan.FromMinutes(1))!.Value;
        Assert.Equal((Role.Guest, false), (credentials.Find(token)?.Role, credentials.HasEnded(token)));
        var before = credentials.Find(token)!.Revoked;
        store.Change(guest, Role.Player);
        Assert.Equal((Role.Player, true), (credentials.Find(token)?.Role, before.IsCancellationRequested));
        credentials.Change("owner-token-9876543210", []); // other tokens of the settings
        Assert.NotNull(credentials.Find(token));
        var open = credentials.Find(token)!.Revoked;
        time.Advance(TimeSpan.FromSeconds(61));
        Assert.Equal((null, true, true), (credentials.Find(token), credentials.HasEnded(token), open.IsCancellationRequested));
        Assert.Empty(store.All);
    }

    [Fact]
    public async Task Link_ThatIsValidForLongerThanATimer_EndsInTime()
    {
        var time = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
        var transport = new TransportSettings(new TransportOptions());
        await using var emulators = new EmulatorRegistry([], transport, time, MemoryPool<byte>.Shared, NullLogger<EmulatorRegistry>.Instance);
        using var store = new GuestStore(new CredentialStore("owner-token-0123456789", []), emulators, transport, null, time, NullLogger<GuestStore>.Instance);
        store.Add("Ann", Role.Guest, TimeSpan.FromDays(100));
        time.Advance(TimeSpan.FromDays(99.9));
        Assert.Single(store.All);
        time.Advance(TimeSpan.FromDays(0.2));
        Assert.Empty(store.All);
    }

    [Fact]
    public async Task Link_OfARun_ReplacesThatOfTheRunBefore()
    {
        var transport = new TransportSettings(new TransportOptions());
        await using var emulators = new EmulatorRegistry([], transport, TimeProvider.System, MemoryPool<byte>.Shared, NullLogger<EmulatorRegistry>.Instance);
        using var store = new GuestStore(new CredentialStore("owner-token-0123456789", []), emulators, transport, null, TimeProvider.System, NullLogger<GuestStore>.Instance);
        var first = RunAnnouncement.Share(store, Role.Guest, "http://192.0.2.7:5000");
        var second = RunAnnouncement.Share(store, Role.Player, "http://192.0.2.7:5000");
        Assert.StartsWith("http://192.0.2.7:5000/#/play?token=", first.Link, StringComparison.Ordinal);
        Assert.NotEqual(first.Link, second.Link);
        var guest = Assert.Single(store.All);
        Assert.Equal(Role.Player, guest.Credential.Role);
        store.End(static _ => true);
        for (var count = 0; count < GuestStore.Max; count++)
        {
            store.Add("Ann", Role.Guest, GuestStore.DefaultLifetime);
        }

        Assert.Contains("32 guests", RunAnnouncement.Share(store, Role.Guest, "http://192.0.2.7:5000").Problem, StringComparison.Ordinal);
        Assert.Contains("local network", RunAnnouncement.Share(store, Role.Guest, null).Problem, StringComparison.Ordinal);
    }
}
