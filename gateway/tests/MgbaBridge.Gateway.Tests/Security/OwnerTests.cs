using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Interfaces.Mcp.Tools;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Tests.Security;

/// <summary>Tokens that belong to an owner; <c>tests/fleet/test_owners.py</c> tries them in a real fleet.</summary>
public sealed class OwnerTests
{
    private static readonly Caller Owner = new(Role.Owner, "lab7");

    [Fact]
    public void Setting_WithAnOwner_IsReadAndTokensOfOthersAreOthers()
    {
        var setting = Credential.SettingOf(Role.Player, "a-token", "lab-7");
        Assert.Matches("^player:[0-9a-f]{64}:lab-7$", setting);
        var store = new CredentialStore(null, [setting]);
        Assert.Equal(new Caller(Role.Player, "lab-7"), store.Find("a-token")?.Caller);
        var before = store.Find("a-token")!;
        store.Change(null, [Credential.SettingOf(Role.Player, "a-token", "lab8")]);
        Assert.Equal((true, "lab8"), (before.Revoked.IsCancellationRequested, store.Find("a-token")!.Caller.Owner));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Lab7")]
    [InlineData("lab_7")]
    [InlineData("lab7:other")]
    [InlineData("a-name-of-25-letters-xxxx")]
    public void Setting_WithAWrongOwner_IsRefused(string owner) => Assert.False(Credential.TryParse(Credential.SettingOf(Role.Player, "a-token", owner), out _));

    /// <summary>What concerns all callers of the gateway is for the operator. An operation that is about the gateway, or keeps something in it, is a decision to make here.</summary>
    [Fact]
    public void Operations_ForOwners_AreThoseOfOneEmulatorAndTheseOthers()
    {
        var allowed = OperationCatalog.All.Where(operation => operation is { IsPerEmulator: false, IsWithoutToken: false } && Operation.Refuse(Owner, operation.Access, operation.IsShared) is null);
        Assert.Equal(
            ["emulators.list", "fleet.events", "fleet.hosts", "fleet.sessions.create", "fleet.sessions.delete", "fleet.sessions.deleteAll", "fleet.sessions.get", "fleet.sessions.list", "fleet.status", "holder.stream", "operations.list", "scenarios.delete", "scenarios.list", "scenarios.load", "vector.step"],
            allowed.Select(operation => operation.Name).Order(StringComparer.Ordinal));
        Assert.All(OperationCatalog.All.Where(operation => operation.Access == Access.Manage), operation => Assert.NotNull(Operation.Refuse(Owner, operation.Access, operation.IsShared)));
        Assert.All(OperationCatalog.All, operation => Assert.Null(Operation.Refuse(new Caller(Role.Owner), operation.Access, operation.IsShared)));
        Assert.Equal(["notes", "start_emulator"], ToolList.All.Where(tool => Operation.Refuse(Owner, tool.Access, tool.IsShared) is not null).Select(tool => tool.Name).Order(StringComparer.Ordinal));
    }
}
