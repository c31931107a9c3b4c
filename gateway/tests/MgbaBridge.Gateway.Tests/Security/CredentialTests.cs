using System.Net;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;

namespace MgbaBridge.Gateway.Tests.Security;

public sealed class CredentialTests
{
    private const string Token = "correct-horse-battery-staple";

    [Fact]
    public void Setting_OfAToken_IsReadAndMatchesOnlyIt()
    {
        var setting = Credential.SettingOf(Role.Player, Token);
        Assert.Matches("^player:[0-9a-f]{64}$", setting);
        var store = new CredentialStore(null, [setting, Credential.SettingOf(Role.Viewer, "another").ToUpperInvariant()]);
        Assert.Equal(Role.Player, store.Find(Token)?.Role);
        Assert.Equal(Role.Viewer, store.Find("another")?.Role);
        Assert.Null(store.Find(Token + "x"));
        Assert.Null(store.Find(""));
        Assert.Null(store.Find(setting));
    }

    [Theory]
    [InlineData("")]
    [InlineData("player")]
    [InlineData("player:")]
    [InlineData("admin:0000000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("none:0000000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("player:000000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("player:000000000000000000000000000000000000000000000000000000000000000g")]
    public void Setting_OfAnotherForm_IsRefused(string setting) => Assert.False(Credential.TryParse(setting, out _));

    [Fact]
    public void Tokens_InBothLists_StayTheSame()
    {
        var (kept, gone) = (Credential.SettingOf(Role.Player, "kept"), Credential.SettingOf(Role.Viewer, "gone"));
        var store = new CredentialStore(Token, [kept, gone]);
        var (before, withdrawn, owner) = (store.Find("kept")!, store.Find("gone")!, store.Find(Token)!);
        store.Change(Token, [kept]);
        Assert.Same(before, store.Find("kept"));
        Assert.Same(owner, store.Find(Token));
        Assert.Null(store.Find("gone"));
        Assert.Equal((false, true), (before.Revoked.IsCancellationRequested, withdrawn.Revoked.IsCancellationRequested));

        // the same token with another role is another credential
        store.Change(null, [Credential.SettingOf(Role.Owner, "kept")]);
        Assert.Equal((Role.Owner, true, true), (store.Find("kept")!.Role, before.Revoked.IsCancellationRequested, owner.Revoked.IsCancellationRequested));
    }

    [Fact]
    public void Local_OnlyWithoutTokens_IsOwner()
    {
        var store = new CredentialStore("", []);
        var local = store.Local!;
        Assert.Equal((false, Role.Owner), (store.HasTokens, local.Role));
        store.Change(Token, []);
        Assert.Equal((true, true, null), (store.HasTokens, local.Revoked.IsCancellationRequested, store.Local));
        store.Change(null, []);
        Assert.False(store.Local!.Revoked.IsCancellationRequested);
    }

    /// <summary>Neither a gateway without tokens nor a connection whose caller is known allocates for it.</summary>
    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 64)]
    public void Check_OfARequest_AllocatesNothingWithoutTokensAndLittleWith(bool hasTokens, int maxBytes)
    {
        const int Turns = 10_000;
        var access = AccessTo(new CredentialStore(hasTokens ? Token : null, []));
        var http = Request("HTTP/1.1");
        RequestDelegate next = static _ => Task.CompletedTask;

        Run();
        var before = GC.GetAllocatedBytesForCurrentThread();
        Run();
        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / (double)Turns, 0, maxBytes);

        void Run()
        {
            for (var turn = 0; turn < Turns; turn++)
            {
                access.InvokeAsync(http, next);
            }
        }
    }

    /// <summary>Requests of HTTP/2 share a connection at the same time.</summary>
    [Theory]
    [InlineData("HTTP/1.1", true)]
    [InlineData("HTTP/2", false)]
    public async Task Caller_OfAConnection_IsKeptWhereItsRequestsFollowEachOther(string protocol, bool isKept)
    {
        var http = Request(protocol);
        await AccessTo(new CredentialStore(Token, [])).InvokeAsync(http, static _ => Task.CompletedTask);
        Assert.Equal(isKept, AccessControl.IsAdmitted(http));
    }

    [Fact]
    public async Task TokenVerb_ForARole_MakesATokenAndItsSetting()
    {
        var text = await VerbRunText("token", "--role", "player", "--json");
        using var made = System.Text.Json.JsonDocument.Parse(text);
        var (token, setting) = (made.RootElement.GetProperty("token").GetString()!, made.RootElement.GetProperty("setting").GetString()!);
        Assert.Equal(Credential.SettingOf(Role.Player, token), setting);
        Assert.Equal(Role.Player, new CredentialStore(null, [setting]).Find(token)?.Role);
        Assert.NotEqual(token, System.Text.Json.JsonDocument.Parse(await VerbRunText("token", "--json")).RootElement.GetProperty("token").GetString());
    }

    private static AccessControl AccessTo(CredentialStore store) => new(store, new TokenAuthentication(store, new WrongTokenLimit()));

    // a request of an owner
    private static DefaultHttpContext Request(string protocol)
    {
        var http = new DefaultHttpContext();
        http.Connection.LocalIpAddress = IPAddress.Loopback;
        http.Request.Protocol = protocol;
        http.Request.Headers.Authorization = $"Bearer {Token}";
        http.Features.Set<IConnectionItemsFeature>(new Items());
        http.SetEndpoint(new Endpoint(null, new EndpointMetadataCollection(new RequiredRole(Role.Owner)), null));
        return http;
    }

    private static Task<string> VerbRunText(params string[] arguments) => Interfaces.CommandLine.VerbRun.TextAsync(arguments);

    private sealed class Items : IConnectionItemsFeature
    {
        IDictionary<object, object?> IConnectionItemsFeature.Items { get; set; } = new Dictionary<object, object?>();
    }
}
