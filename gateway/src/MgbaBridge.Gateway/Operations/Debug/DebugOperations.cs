using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Waits;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>Breakpoints, watchpoints, and a game that is halted between two instructions.</summary>
internal static class DebugOperations
{
    private const string One = "/v2/debug/points/{point}";

    /// <summary>After how many seconds the halt of a caller ends that cannot be seen to leave.</summary>
    public const long DefaultSeconds = 600;


    private static readonly Resource Resource = new("Debugging", DebugJson.Default);
    internal static readonly StatusNote NotInWindow = (ErrorCode.Unsupported, "the game runs in a window, which has no debugger for scripts.");
    private static readonly StatusNote NoSuchName = (FailureKind.NoSuchName, "the game has no property and no symbol of this name.");

    /// <summary>What hits a point.</summary>
    public static Parameter<PointKind> Kind { get; } = Parameter.Choice<PointKind>(
        "kind",
        "What hits it: `execute`, `read`, `write`, `access` (both), `change` (a write of another value) or `interrupt` (the processor begins to serve one; `location` is its vector: 0x18 on a GBA, 0x40 to 0x60 on a GB).")
        .Or(PointKind.Execute);

    /// <summary>Where a point is.</summary>
    public static Parameter<string> Location { get; } = Parameter.Text("location", "Where: an address (`0x080001F4`), an offset in a domain (`cart0:0x4123`), or the name of a property or symbol.");

    /// <summary>How many bytes it has.</summary>
    public static Parameter<long?> Length { get; } =
        Parameter.Integer("length", Limits.MinPointLength, (long)Limits.PointLength, "How many bytes; those of the symbol or property, or 1, unless given.").Optional();

    /// <summary>What has to hold.</summary>
    public static Parameter<Condition?> Condition { get; } = new Parameter<Condition>(
        "condition", "What has to hold, as for `wait.until`, with registers as places: `r0 == 1 and player.hp < 5`.", ConditionKind.Instance).Optional();

    /// <summary>Whether it does not halt the game.</summary>
    public static Parameter<bool> Reports { get; } = Parameter.Flag("reports", "Whether a hit is only reported, and the game runs on.");

    /// <summary>The id of a point.</summary>
    public static Parameter<long> Point { get; } = Parameter.Integer("point", 1, (long)int.MaxValue, "Its id, of any holder.") with { Example = "1" };

    /// <summary>Where a step goes to.</summary>
    public static Parameter<string?> StepTo { get; } = Parameter.Text("location", "Where to, for `to`: an address, an offset in a domain, or the name of a symbol.").Optional() with { IsArgument = true };

    /// <summary>After how long a halt ends.</summary>
    public static Parameter<long?> Seconds { get; } = Parameter.Integer(
        "seconds", Limits.MinHaltSeconds, (long)Limits.HaltSeconds, $"After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP {DefaultSeconds} unless given.").Optional();

    public static HandlerOperation<NoParameters, DebuggerAnswer> Get { get; } = new(Resource, "debug.get", HttpMethods.Get, "/v2/debug", Access.Read)
    {
        Summary = "Whether the game is halted, and the registers",
        Request = Parameters.None,
        Run = static (invocation, _) => DescribeAsync(invocation, new ReadDebugger(), ReadDebugger.Parse),
        ResponseExample = DebuggerAnswer.Example,
        Statuses = [NotInWindow],
    };

    public static CommandOperation<ListPoints, PointsAnswer> List { get; } = new(Resource, "debug.list", HttpMethods.Get, "/v2/debug/points", Access.Read)
    {
        Summary = "The breakpoints and watchpoints of all holders",
        Request = Parameters.Always(new ListPoints()),
        Read = PointsAnswer.Of,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","points":[{"point":1,"holder":"http","kind":"change","first":"0x02000008","last":"0x0200000B","halts":true,"hits":2}]}""",
        Statuses = [NotInWindow],
    };

    public static HandlerOperation<PointRequest, PointAnswer> Add { get; } = new(Resource, "debug.add", HttpMethods.Post, "/v2/debug/points", Access.Write)
    {
        Summary = "Set a breakpoint or a watchpoint",
        Description = "A breakpoint (`execute`) is hit before the instruction is executed, a watchpoint after the instruction that reads or writes. Events of the topic `debug` say that one halted the game, events of `hits` "
            + $"report all of them, together once a frame. A point ends when it is removed, when its holder's connection ends (WebSocket), when the gateway is gone for {Limits.ReleaseSeconds} seconds, and when another game is opened. "
            + $"At most {Limits.Points}.",
        Request = Parameters.Of(
            Kind,
            Location,
            Length,
            Parameter.Integer("bank", 0, (long)Limits.Bank, "The bank of the address on a Game Boy; any unless given, or that of a symbol or of an offset in a domain.").Optional(),
            Condition,
            Reports,
            Seconds,
            static (kind, location, length, bank, condition, reports, seconds) => new PointRequest(kind, location, length, bank, condition, !reports, seconds)),
        RequestExample = """{"kind":"change","location":"0x02000008","length":4,"condition":"r0 == 0"}""",
        Run = AddAsync,
        Holds = Held.Points,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","point":1}""",
        Statuses = [NoSuchName, NotInWindow],
    };

    public static HandlerOperation<long, RemovedAnswer> Remove { get; } = new(Resource, "debug.remove", HttpMethods.Delete, One, Access.Write)
    {
        Summary = "Remove a breakpoint or a watchpoint",
        Request = Parameters.Of(Point),
        Run = static async (invocation, id) =>
        {
            var removed = await invocation.SendAsync(new RemovePoints(id), RemovedOf);
            return removed is { Failure: null, Value.Removed: 0 } ? new Failure(FailureKind.NoSuchPoint, $"There is no point {id}.", new NextStep(List, "lists them")) : removed;
        },
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","removed":1}""",
        Statuses = [(FailureKind.NoSuchPoint, "there is no such point."), NotInWindow],
    };

    public static CommandOperation<RemovePoints, RemovedAnswer> RemoveAll { get; } = new(Resource, "debug.removeAll", HttpMethods.Delete, "/v2/debug/points", Access.Write)
    {
        Summary = "Remove all points of the holder",
        Request = Parameters.Always(new RemovePoints()),
        Read = static (_, reply) => RemovedOf(reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","removed":2}""",
        Statuses = [NotInWindow],
    };

    public static HandlerOperation<long?, DebuggerAnswer> Halt { get; } = new(Resource, "debug.halt", HttpMethods.Post, "/v2/debug/halt", Access.Write)
    {
        Summary = "Halt the game before its next instruction",
        Description = "Reads, writes, states and pictures are answered while it is halted; presses, waits and steps of frames wait until it runs. The picture is as far as it was drawn.",
        Request = Parameters.Of(Seconds),
        RequestExample = """{"seconds":60}""",
        Run = static (invocation, seconds) => DescribeAsync(invocation, new HaltGame(HaltSeconds(invocation, seconds)), HaltGame.Parse),
        TakesFrames = true,
        Holds = Held.Points,
        ResponseExample = DebuggerAnswer.Example,
        Statuses = [NotInWindow],
    };

    public static CommandOperation<ContinueGame, ContinuedAnswer> Continue { get; } = new(Resource, "debug.continue", HttpMethods.Post, "/v2/debug/continue", Access.Write)
    {
        Summary = "Let the game run until a point halts it",
        Request = Parameters.Always(new ContinueGame()),
        Read = static (_, reply) => new ContinuedAnswer(reply.Frame, reply.Epoch, ContinueGame.Parse(reply)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","wasHalted":true}""",
        Statuses = [NotInWindow],
    };

    public static HandlerOperation<StepRequest, DebuggerAnswer> Step { get; } = new(Resource, "debug.step", HttpMethods.Post, "/v2/debug/step", Access.Write)
    {
        Summary = "Execute instructions of a game that is halted",
        Description = "The response comes when the game is halted again: at the end of the step, at a point on the way, or after `frames` wherever it is (`reason` is `requested` then).",
        Request = Parameters.Of(
            Parameter.Choice<StepKind>("kind", "`into`: one instruction; `over`: and the function that it calls; `out`: until the present function returns; `to`: until a location.").Or(StepKind.Into) with { IsArgument = true },
            StepTo,
            Parameter.Integer("frames", 1, (long)Limits.Frames, "After how many frames the game is halted wherever it is.").Or(StepGame.DefaultFrames),
            Seconds,
            static Made<StepRequest> (kind, location, frames, seconds) => kind == StepKind.To == location is null
                ? new WrongParameters("location is for the kind to, and needed there: {\"kind\": \"to\", \"location\": \"0x080001F4\"}.")
                : new StepRequest(kind, location, frames, seconds)),
        RequestExample = """{"kind":"over"}""",
        Run = StepAsync,
        TakesFrames = true,
        Holds = Held.Points,
        ResponseExample = DebuggerAnswer.Example,
        Statuses = [NoSuchName, NotInWindow],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, List, Add, Remove, RemoveAll, Halt, Continue, Step];

    private static RemovedAnswer RemovedOf(Reply reply) => new(reply.Frame, reply.Epoch, RemovePoints.Parse(reply));

    // a session is seen to end, and its halt ends with it
    internal static long? HaltSeconds(Invocation invocation, long? seconds) => seconds ?? (invocation.Session is null ? DefaultSeconds : null);

    private static async ValueTask<Result<PointAnswer>> AddAsync(Invocation invocation, PointRequest request)
    {
        var (game, unread) = await DebuggedGame.ReadAsync(invocation);
        if (game is null)
        {
            return unread!;
        }

        var (place, unknown) = await game.FindAsync(invocation, request.Location, request.Length ?? (request.Kind is PointKind.Execute or PointKind.Interrupt ? 1 : null));
        if (place is not { } at)
        {
            return unknown!;
        }

        string? condition = null;
        if (request.Condition is not null)
        {
            (condition, var wrong) = PointCondition.Write(request.Condition, game.Game.Names);
            if (wrong is not null)
            {
                return Failure.BadRequest(wrong);
            }
        }

        var command = new AddPoint(
            request.Kind.ToString().ToLowerInvariant(), at.At.Address, condition, at.Bytes, request.Bank ?? at.At.Bank, request.Halts, HaltSeconds(invocation, request.Seconds), request.Condition?.ToString());
        var sameGame = invocation with { Options = invocation.Options with { Epoch = game.Game.Epoch } };
        return await sameGame.SendAsync(command, static reply => new PointAnswer(reply.Frame, reply.Epoch, AddPoint.Parse(reply)));
    }

    private static async ValueTask<Result<DebuggerAnswer>> StepAsync(Invocation invocation, StepRequest request)
    {
        var at = default(BankedAddress?);
        if (request.Location is not null)
        {
            var (game, unread) = await DebuggedGame.ReadAsync(invocation);
            if (game is null)
            {
                return unread!;
            }

            var (place, unknown) = await game.FindAsync(invocation, request.Location, 1);
            if (place is null)
            {
                return unknown!;
            }

            at = place.Value.At;
        }

        var command = new StepGame(request.Kind.ToString().ToLowerInvariant(), at?.Address, at?.Bank, request.Frames, HaltSeconds(invocation, request.Seconds));
        return await DescribeAsync(invocation, command, StepGame.Parse, WaitRequest.MaxWaitOf(request.Frames));
    }

    // with names where the game has any
    internal static async ValueTask<Result<DebuggerAnswer>> DescribeAsync<TCommand>(Invocation invocation, TCommand command, Func<Reply, DebuggerState> parse, TimeSpan? timeout = null)
        where TCommand : struct, ICommand<TCommand>
    {
        var sent = await invocation.SendAsync(command, reply => (reply.Frame, reply.Epoch, State: parse(reply)), timeout);
        if (sent.Failure is { } failure)
        {
            return failure;
        }

        var (frame, epoch, state) = sent.Value;
        var game = state.Halt is null ? null : (await DebuggedGame.ReadAsync(invocation)).Game;
        var bank = state.Halt?.Hit?.Access is { } access && game is not null ? await game.BankOfAsync(invocation, access.Address) : null;
        return Result.At(DebuggerAnswer.Of(frame, epoch, state, game?.NamesIn(epoch) ?? (static (_, _) => null), bank), frame, epoch);
    }
}
