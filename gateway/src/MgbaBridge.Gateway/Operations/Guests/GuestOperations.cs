using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Operations.States;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace MgbaBridge.Gateway.Operations.Guests;

/// <summary>Links by which other people play along.</summary>
internal static class GuestOperations
{
    private const int MaxName = 40;
    private const int MaxAddress = 200;
    private const string One = "/v2/guests/{guest}";
    private const string Example = """{"id":"5f0c2a91","name":"Ann","role":"guest","until":"2026-12-01T08:15:00Z","connections":[{"emulator":"1","holder":"Ann-4f0c","since":"2026-11-30T08:16:10Z","delayMs":12.4}]}""";

    private static readonly TimeSpan Shortest = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Longest = TimeSpan.FromDays(30);
    private static readonly Resource Resource = new("Guests", GuestJson.Default) { UsesEmulator = false, IsPerEmulator = false };
    private static readonly StatusNote[] NoSuch = [(FailureKind.NoSuchGuest, "there is no such guest, or the link has ended."), (FailureKind.StoreFailed, "it is done, and `Http:KeepGuests` is set: the file cannot be written, so that a restart undoes it.")];

    private static readonly Parameter<string> Id = Parameter.Text("guest", "The id of a guest.") with { Example = "5f0c2a91" };
    private static readonly Parameter<string> Name = new("name", "What you call the guest.", new NameKind(
        $"1 to {MaxName} characters, not only spaces, and no control characters", MaxName,
        static name => name.Length <= MaxName && !string.IsNullOrWhiteSpace(name) && !name.Any(char.IsControl)));

    private static readonly Parameter<Role> AnyRole = Parameter.Choice<Role>("role", "What the guest may do: watch (viewer), press keys, too (guest), take the lease, too (player).", Role.Viewer, Role.Guest, Role.Player);

    public static HandlerOperation<NoParameters, GuestsAnswer> List { get; } = new(Resource, "guests.list", HttpMethods.Get, "/v2/guests", Access.Manage)
    {
        Summary = "The guests whose links are valid, and who of them is connected",
        Request = Parameters.None,
        IsEffect = false,
        Run = static (invocation, _) => ValueTask.FromResult<Result<GuestsAnswer>>(new GuestsAnswer([.. invocation.Get<GuestStore>().All.Select(GuestAnswer.Of)])),
        ResponseExample = $$"""{"guests":[{{Example}}]}""",
    };

    public static HandlerOperation<NewGuest, InvitedGuestAnswer> Invite { get; } = new(Resource, "guests.invite", HttpMethods.Post, "/v2/guests", Access.Manage)
    {
        Summary = "Invite a guest: make a link to the page, with a token of its own",
        Description = $"The response has the link once. It ends when its time is up, by `guests.end`, and with the gateway, unless `Http:KeepGuests` is set. Everybody who has the link can use it. At most {GuestStore.Max} at once.",
        Request = Parameters.Of(
            Name.Or("Guest"),
            AnyRole.Or(Role.Guest),
            Parameter.Integer("expiresIn", (long)Shortest.TotalSeconds, (long)Longest.TotalSeconds, "How many seconds the link is valid.").Or((long)GuestStore.DefaultLifetime.TotalSeconds),
            Parameter.Text("address", "Where the guest reaches the gateway, such as `https://play.example.com`; its address in the local network unless given.", MaxAddress).Optional(),
            NewGuestOf),
        RequestExample = """{"name":"Ann","role":"guest","expiresIn":7200}""",
        Run = static (invocation, request) => ValueTask.FromResult(InviteGuest(invocation, request)),
        ResponseExample = """{"id":"5f0c2a91","name":"Ann","role":"guest","until":"2026-11-30T10:15:00Z","link":"http://192.0.2.7:5000/#/play?token=009bc7eb6df373e0e89307976026b7855fa3ac601665c73bbe3f0d25754fda7a","qr":["█▀▀▀▀▀█ ▄ █▀▀▀▀▀█"]}""",
        Statuses =
        [
            (FailureKind.NotShared, "the gateway listens only to its machine, or the machine is in no network, and no `address` is given."),
            (FailureKind.TooManyGuests, $"there are {GuestStore.Max} guests."),
            (FailureKind.StoreFailed, "`Http:KeepGuests` is set, and the file cannot be written."),
        ],
    };

    public static HandlerOperation<GuestChange, GuestAnswer> Change { get; } = new(Resource, "guests.change", HttpMethods.Put, One, Access.Manage)
    {
        Summary = "Give a guest another role: hand control over, or take it back",
        Description = "A player may take the lease (`lease.take`). What is open for the guest ends: keys are released, and a lease ends. The page opens it again by itself.",
        Request = Parameters.Of(Id, AnyRole, static (id, role) => new GuestChange(id, role)),
        RequestExample = """{"role":"player"}""",
        Run = static (invocation, change) => ValueTask.FromResult<Result<GuestAnswer>>(
            invocation.Get<GuestStore>() is var guests && guests.Find(change.Id) is not { } guest ? NoGuest(change.Id)
            : Kept(() => guests.Change(guest, change.Role)) is { } failure ? failure
            : GuestAnswer.Of(guest)),
        ResponseExample = Example,
        Statuses = NoSuch,
    };

    public static HandlerOperation<string, EndedGuestsAnswer> End { get; } = new(Resource, "guests.end", HttpMethods.Delete, One, Access.Manage)
    {
        Summary = "End a guest's link",
        Description = "The token is no longer valid, what is open for the guest ends, and keys are released.",
        Request = Parameters.Of(Id),
        Run = static (invocation, id) => ValueTask.FromResult(invocation.Get<GuestStore>().Find(id) is { } guest ? EndGuests(invocation, one => one == guest) : NoGuest(id)),
        ResponseExample = """{"ended":1}""",
        Statuses = NoSuch,
    };

    public static HandlerOperation<NoParameters, EndedGuestsAnswer> EndAll { get; } = new(Resource, "guests.endAll", HttpMethods.Delete, "/v2/guests", Access.Manage)
    {
        Summary = "End the links of all guests",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult(EndGuests(invocation, static _ => true)),
        ResponseExample = """{"ended":2}""",
        Statuses = [NoSuch[1]],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Invite, Change, End, EndAll];

    private static Made<NewGuest> NewGuestOf(string name, Role role, long expiresIn, string? address) =>
        address is null || (Uri.TryCreate(address, UriKind.Absolute, out var url) && (url.Scheme == Uri.UriSchemeHttp || url.Scheme == Uri.UriSchemeHttps) && url is { Query: "", Fragment: "", UserInfo: "" })
            ? new NewGuest(EscapedText.Of(name), role, TimeSpan.FromSeconds(expiresIn), address)
            : new WrongParameters("address has to be that of the page, such as https://play.example.com or http://192.0.2.7:5000.");

    private static Result<InvitedGuestAnswer> InviteGuest(Invocation invocation, NewGuest request)
    {
        // without a token in the settings only callers of this machine are let in, and all of them are owners
        var listening = invocation.Get<IServer>().Features.Get<IServerAddressesFeature>()?.Addresses ?? [];
        if (!invocation.Get<CredentialStore>().HasTokens || (request.Address ?? GuestLink.AddressOf(listening, GuestLink.LocalAddress())) is not { } address)
        {
            return new Failure(FailureKind.NotShared, "No other machine can open a link to this gateway.", NextStep.Do("Start it with mgba-bridge run --share in a local network, or set urls and a token (docs/operating.md)."));
        }

        (Guest Guest, string Token)? invited = null;
        if (Kept(() => invited = invocation.Get<GuestStore>().Add(request.Name, request.Role, request.Lifetime)) is { } failure)
        {
            return failure;
        }

        if (invited is not var (guest, token))
        {
            return new Failure(FailureKind.TooManyGuests, $"There are {GuestStore.Max} guests.", new NextStep(End, "ends the link of one"));
        }

        var link = GuestLink.Of(address, token);
        return new InvitedGuestAnswer(guest.Id, guest.Name, guest.Credential.Role, guest.Until, link, GuestLink.QrCode(link));
    }

    private static Result<EndedGuestsAnswer> EndGuests(Invocation invocation, Func<Guest, bool> which)
    {
        var ended = 0;
        return Kept(() => ended = invocation.Get<GuestStore>().End(which)) is { } failure ? failure : new EndedGuestsAnswer(ended);
    }

    private static Failure? Kept(Action act)
    {
        try
        {
            act();
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return StoreOperations.StoreFailed(exception);
        }
    }

    private static Failure NoGuest(string id) => new(FailureKind.NoSuchGuest, $"There is no guest {id}.", new NextStep(List, "lists them"));
}
