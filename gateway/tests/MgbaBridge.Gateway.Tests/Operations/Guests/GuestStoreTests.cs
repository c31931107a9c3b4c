using System.Buffers;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
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
}
