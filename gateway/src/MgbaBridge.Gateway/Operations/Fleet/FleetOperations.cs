using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Fleet;

/// <summary>Emulators on several machines.</summary>
internal static class FleetOperations
{
    private static readonly Resource Resource = new("Fleet", FleetJson.Default) { UsesEmulator = false, IsPerEmulator = false, IsShared = false };
    private const string SessionRoute = "session"; // not `id`, which names an emulator of this gateway
    private const int MaxLimit = 1_000;
    private const int DefaultLimit = 100;
    private const int MaxText = 255;
    private const string DefaultOwner = "default";
    private const string Example = """{"id":"g4f0c21aa90","owner":"default","rom":"game.gba","state":"running","generation":1,"host":"node1","job":"162_0","detail":"","failures":0,"stateSeconds":12.4}""";

    private static readonly StatusNote[] Unusable =
    [
        (FailureKind.NoFleet, "`Bridge:Fleet:Database` is not set."),
        (FailureKind.FleetUnavailable, "the database cannot be used; `detail` says why."),
    ];

    private static readonly Parameter<string> Session = Parameter.Text("session", "The id of a session of the fleet.") with { Example = "g4f0c21aa90" };
    private static readonly Parameter<int> Limit = Parameter.Integer("limit", 1, MaxLimit, "How many at most.").Or(DefaultLimit);

    public static HandlerOperation<NoParameters, FleetStatusAnswer> Status { get; } = new(Resource, "fleet.status", HttpMethods.Get, "/v2/fleet", Access.Read)
    {
        Summary = "The fleet in numbers",
        Description = "For a token of an owner: its sessions, and the hosts that have them.",
        Request = Parameters.None,
        Run = static (invocation, _) => InFleetAsync(invocation, async (database, options) =>
        {
            var owner = invocation.Caller.Owner;
            var counts = (await new SessionRegistry(database, options).CountAsync(owner, invocation.Cancelled)).ToDictionary(count => count.State, count => count.Count);
            var (hosts, capacity) = await new FleetLog(database).ReadyAsync(owner, invocation.Cancelled);
            var (session, age, problem) = await new SessionRegistry(database, options).OldestStateAsync(owner, invocation.Cancelled);
            return new FleetStatusAnswer(
                options.Name, hosts, capacity, counts.GetValueOrDefault("pending"), counts.GetValueOrDefault("placed"), counts.GetValueOrDefault("running"),
                counts.GetValueOrDefault("deleting"), Math.Round(age.TotalSeconds, 1), session, ShownText.For(invocation.Caller, problem ?? ""), owner is null ? ShownText.For(invocation.Caller, await new LeaderRegistry(database).EngineProblemAsync(invocation.Cancelled)) : ""); // it may name jobs of others
        }),
        ResponseExample = """{"fleet":"default","hosts":2,"capacity":16,"pending":0,"placed":0,"running":8,"deleting":0,"stateSeconds":12.4,"stateSession":"g4f0c21aa90","stateProblem":"","engineProblem":""}""",
        Statuses = Unusable,
    };

    public static HandlerOperation<NewSessions, CreatedSessionsAnswer> Create { get; } = new(Resource, "fleet.sessions.create", HttpMethods.Post, "/v2/fleet/sessions", Access.Write)
    {
        Summary = "Create sessions, which run on the hosts of the fleet",
        Description = "The response comes at once; `fleet.sessions.get` shows when a session runs. All of them are created or none.",
        Request = new RecordParameters<NewSessions>(new NewSessions("", 1, ""),
        [
            With(Parameter.Text("rom", "The ROM: a path below one of `Owned:RomFolders` of the hosts, relative or whole; `:demo:` is the bundled demo game, `:test:` that of tests.", MaxText), static (sessions, rom) => sessions with { Rom = rom }),
            With(Parameter.Integer("count", 1, MaxLimit, "How many.").Or(1), static (sessions, count) => sessions with { Count = count }),
            With(
                new Parameter<string>("owner", $"Who owns them: {OwnerName.ExpectedFormat}; `default` unless given, or the owner that the token belongs to.", new NameKind(OwnerName.ExpectedFormat, OwnerName.MaxLength, OwnerName.IsValid)).Optional() with { Example = "lab7" },
                static (sessions, owner) => sessions with { Owner = owner ?? "" }),
            .. EmulatorParameters.Of<NewSessions>(EmulatorStarter.Fleet, static sessions => sessions.Options, static (sessions, options) => sessions with { Options = options }),
            With(EmulatorOperations.NewId("The id of a single session", "a random one"), static (sessions, id) => sessions with { Id = id }),
            With(
                Parameter.Number("cpus", 0.01, 1_024, "Processors for the job of each, which the engine `slurm` (rounded up) or `kubernetes` gives. What the engine's settings say unless given.").Optional(),
                static (sessions, cpus) => sessions with { Resources = sessions.Resources with { Cpus = cpus } }),
            With(Parameter.Integer("memory", 16, 16_777_216, "Memory for the job of each in MiB, likewise.").Optional(), static (sessions, memory) => sessions with { Resources = sessions.Resources with { Memory = memory } }),
            With(
                Parameter.Flag("temporary", "Whether they are for the caller's program alone: deleted a minute after the last stream of its holder ended (`holder.stream`), of which one has to be open."),
                static (sessions, temporary) => sessions with { Holder = temporary ? "" : null }),
        ]).Make<NewSessions>(static sessions => sessions.Id is not null && sessions.Count != 1 ? new WrongParameters("id names a single session; omit it, or omit count.") : sessions),
        RequestExample = """{"rom":"game.gba","count":8}""",
        Run = CreateAsync,
        ResponseExample = """{"ids":["g4f0c21aa90"]}""",
        Statuses =
        [
            (FailureKind.RomForbidden, "the ROM is outside `Bridge:Owned:RomFolders` of this gateway, if that is set."),
            (FailureKind.NoSuchRom, "it is not there, or cannot be read."),
            FailureKind.OverQuota, FailureKind.TooManySessions, FailureKind.IdTaken,
            .. Unusable,
        ],
    };

    public static HandlerOperation<(string? Owner, string? State, string? After, int Limit), SessionsAnswer> List { get; } = new(Resource, "fleet.sessions.list", HttpMethods.Get, "/v2/fleet/sessions", Access.Read)
    {
        Summary = "The sessions of the fleet, in the order of their ids",
        Request = Parameters.Of(
            Filter("owner", "Only those of this owner.", "default"),
            Parameter.OneOf("state", "Only those in this state.", SessionRegistry.States).Optional(),
            Filter("after", "Only those behind this id: the last one of the previous response.", "g4f0c21aa90"),
            Limit,
            static (owner, state, after, limit) => (owner, state, after, limit)),
        Run = static (invocation, request) => InFleetAsync(
            invocation, async (database, options) => new SessionsAnswer(
                [.. (await new SessionRegistry(database, options).ListAsync(invocation.Caller.Owner, request.Owner, request.State, request.After, request.Limit, invocation.Cancelled)).Select(session => session.For(invocation.Caller))])),
        ResponseExample = $$"""{"sessions":[{{Example}}]}""",
        Statuses = Unusable,
    };

    public static HandlerOperation<string, FleetSession> Get { get; } = new(Resource, "fleet.sessions.get", HttpMethods.Get, $"/v2/fleet/sessions/{{{SessionRoute}}}", Access.Read)
    {
        Summary = "One session of the fleet",
        Request = Parameters.Of(Session),
        Run = static (invocation, session) => FindAsync(invocation, session, static (_, _) => Task.CompletedTask),
        ResponseExample = Example,
        Statuses = [FailureKind.NoSuchSession, .. Unusable],
    };

    public static HandlerOperation<string, FleetSession> Delete { get; } = new(Resource, "fleet.sessions.delete", HttpMethods.Delete, $"/v2/fleet/sessions/{{{SessionRoute}}}", Access.Write)
    {
        Summary = "Delete a session of the fleet, and its states",
        Description = "Its host ends it. The response shows how it was before.",
        Request = Parameters.Of(Session),
        Run = static (invocation, session) => FindAsync(invocation, session, (registry, cancelled) => registry.DeleteAsync(session, cancelled)),
        ResponseExample = Example,
        Statuses = [FailureKind.NoSuchSession, .. Unusable],
    };

    public static HandlerOperation<string?, DeletedSessionsAnswer> DeleteAll { get; } = new(Resource, "fleet.sessions.deleteAll", HttpMethods.Delete, "/v2/fleet/sessions", Access.Write)
    {
        Summary = "Delete all sessions of an owner, or of the fleet, and their states",
        Description = "Their hosts end them. A token of an owner deletes those of its owner alone.",
        Request = Parameters.Of(
            Filter("owner", "Those of this owner.", "lab7"),
            Parameter.Flag("all", "Those of all owners."),
            static Made<string?> (owner, all) => owner is null == all ? owner : new WrongParameters("Give either owner, or all as true.")),
        Run = static (invocation, owner) => InFleetAsync(
            invocation, async (database, options) => new DeletedSessionsAnswer(await new SessionRegistry(database, options).DeleteAllAsync(invocation.Caller.Owner, owner, invocation.Cancelled))),
        ResponseExample = """{"deleted":8}""",
        Statuses = Unusable,
    };

    public static HandlerOperation<NoParameters, HostsAnswer> Hosts { get; } = new(Resource, "fleet.hosts", HttpMethods.Get, "/v2/fleet/hosts", Access.Read)
    {
        Summary = "The hosts of the fleet, those that live first",
        Description = $"At most {MaxLimit}. A host is one process of `mgba-bridge node`; those that are gone are kept for 7 days.",
        Request = Parameters.None,
        Run = static (invocation, _) => InFleetAsync(invocation, async (database, _) => new HostsAnswer(await new FleetLog(database).HostsAsync(invocation.Caller.Owner, MaxLimit, invocation.Cancelled))),
        ResponseExample = """{"hosts":[{"id":"5f0b2f7e-30f5-4a60-9a3c-8d1f6d6f7a11","name":"node1","state":"ready","version":"2.0.0","job":"162_0","capacity":1,"sessions":1,"leaseSeconds":12.4}]}""",
        Statuses = Unusable,
    };

    public static HandlerOperation<(string? Session, long? After, int Limit), FleetEventsAnswer> Events { get; } = new(Resource, "fleet.events", HttpMethods.Get, "/v2/fleet/events", Access.Read)
    {
        Summary = "What happened in the fleet, oldest first",
        Description = "The newest `limit` events, or with `after` those that follow it.",
        Request = Parameters.Of(
            Filter("session", "Only those of this session.", "g4f0c21aa90"),
            Parameter.Integer("after", 0, long.MaxValue, "The oldest with a higher id, such as the last one of the previous response; without it, the newest of all.").Optional(),
            Limit,
            static (session, after, limit) => (session, after, limit)),
        Run = static (invocation, request) => InFleetAsync(
            invocation, async (database, _) => new FleetEventsAnswer(
                [.. (await new FleetLog(database).EventsAsync(invocation.Caller.Owner, request.Session, request.After, request.Limit, invocation.Cancelled)).Select(happened => happened.For(invocation.Caller))])),
        ResponseExample = """{"events":[{"id":12,"at":"2026-11-22T12:00:00+00:00","kind":"session.placed","session":"g4f0c21aa90","generation":1,"host":"5f0b2f7e-30f5-4a60-9a3c-8d1f6d6f7a11","detail":""}]}""",
        Statuses = Unusable,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Status, Create, List, Get, Delete, DeleteAll, Hosts, Events];

    private static Parameter<string?> Filter(string name, string sentence, string example) => Parameter.Text(name, sentence, MaxText).Optional() with { Example = example };

    private static ValueTask<Result<CreatedSessionsAnswer>> CreateAsync(Invocation invocation, NewSessions sessions) =>
        InFleetAsync<CreatedSessionsAnswer>(invocation, async (database, options) =>
        {
            if (invocation.Caller.Owner is { } owner)
            {
                if (WrongFor(invocation.Caller, owner, sessions) is { } wrong)
                {
                    return wrong;
                }

                sessions = sessions with { Owner = owner };
            }
            else if (sessions.Owner.Length == 0)
            {
                sessions = sessions with { Owner = DefaultOwner };
            }

            if (sessions.Resources != default && options.Engine is not ("slurm" or EngineNameAttribute.Kubernetes))
            {
                return Failure.BadRequest("cpus and memory are for the engines slurm and kubernetes, and Bridge:Fleet:Engine of this gateway is neither. Omit them.");
            }

            if (sessions.Holder is not null)
            {
                sessions = sessions with { Holder = HolderStreams.NameOf(invocation.Caller, invocation.Options.Holder) };
                if (!invocation.Get<HolderStreams>().IsOpen(sessions.Holder))
                {
                    return HolderStreams.NotOpen(invocation.Options.Holder, "a temporary session");
                }
            }

            if (invocation.Get<Supervisor>().CheckForHosts(sessions.Rom) is { Failure: { } unusable } check)
            {
                return EmulatorOperations.FailureOf(unusable, check.Detail!);
            }

            var (ids, failure) = await new SessionRegistry(database, options).CreateAsync(sessions, invocation.Cancelled);
            return failure switch
            {
                SessionFailure.None => new CreatedSessionsAnswer(ids),
                SessionFailure.IdTaken => new Failure(FailureKind.IdTaken, $"The fleet has a session {sessions.Id}. Choose another id, or omit it."),
                SessionFailure.OverQuota => new Failure(FailureKind.OverQuota, $"Bridge:Fleet:MaxSessionsPerOwner allows {options.MaxSessionsPerOwner} sessions of {sessions.Owner}. Delete some, or raise the setting."),
                _ => new Failure(FailureKind.TooManySessions, $"Bridge:Fleet:MaxSessions allows {options.MaxSessions}. Delete some, or raise the setting."),
            };
        });

    private static RecordParameter<NewSessions, T> With<T>(Parameter<T> parameter, Func<NewSessions, T, NewSessions> with) => new(parameter, with);

    /// <summary>What a token of an owner may not create. Its names begin with the owner's, so that they say nothing about names of others.</summary>
    private static Failure? WrongFor(Caller caller, string owner, NewSessions sessions) => sessions.Owner.Length > 0 && sessions.Owner != owner
        ? Failure.BadRequest($"The token belongs to the owner {owner}; omit owner.")
        : sessions.Id is { } id && caller.Shown(id) is null ? Failure.BadRequest($"id of a session of the owner {owner} begins with {caller.Prefix}; change or omit it.")
        : !BundledGames.Has(sessions.Rom) && (!sessions.Rom.StartsWith(owner + "/", StringComparison.Ordinal) || sessions.Rom.Split('/', '\\').Contains(".."))
        ? new Failure(FailureKind.NoSuchRom, $"{sessions.Rom} does not exist below {owner}/, where ROMs of the owner {owner} are.")
        : null;

    private static ValueTask<Result<FleetSession>> FindAsync(Invocation invocation, string id, Func<SessionRegistry, CancellationToken, Task> then) => InFleetAsync<FleetSession>(invocation, async (database, options) =>
    {
        var registry = new SessionRegistry(database, options);
        if (await registry.FindAsync(invocation.Caller.Owner, id, invocation.Cancelled) is not { } session)
        {
            return new Failure(FailureKind.NoSuchSession, $"The fleet has no session {id}.", new NextStep(List, "lists them"));
        }

        await then(registry, invocation.Cancelled);
        return session.For(invocation.Caller);
    });

    private static ValueTask<Result<TResponse>> InFleetAsync<TResponse>(Invocation invocation, Func<FleetDatabase, FleetOptions, Task<TResponse>> run) =>
        InFleetAsync<TResponse>(invocation, async (database, options) => (Result<TResponse>)await run(database, options));

    private static async ValueTask<Result<TResponse>> InFleetAsync<TResponse>(Invocation invocation, Func<FleetDatabase, FleetOptions, Task<Result<TResponse>>> run)
    {
        if (invocation.Services.GetService<FleetDatabase>() is not { } database)
        {
            return new Failure(FailureKind.NoFleet, "Set Bridge:Fleet:Database to the database of a fleet; docs/fleet.md describes how.");
        }

        try
        {
            return await run(database, invocation.Get<FleetOptions>());
        }
        catch (FleetException exception)
        {
            return new Failure(FailureKind.FleetUnavailable, exception.Message);
        }
    }
}
