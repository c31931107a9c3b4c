using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>What the game did, event by event.</summary>
internal static class TraceOperations
{
    private const string UsualKinds = "call,return";

    private static readonly Resource Resource = new("Debugging", TraceJson.Default);

    /// <summary>Which events.</summary>
    public static Parameter<string> Kinds { get; } = Parameter.Text(
        "kinds", "Which events, separated by commas: `instruction`, `call`, `return`, `interrupt`, and writes to devices: `dma` (also what DMA writes), `display`, `sound`, `timer`, `serial`.").Or(UsualKinds) with
    { IsArgument = true };

    /// <summary>Of which instructions.</summary>
    public static Parameter<string?> Location { get; } = Parameter.Text(
        "location", "Of which instructions: an address, a place in a domain, or a symbol, which means all of the function. All unless given.").Optional() with
    { Example = "0x080001F4" };

    /// <summary>From which frame on.</summary>
    public static Parameter<long?> From { get; } = Parameter.Integer("from", 0, Limits.PastFrame, "From which frame on; the last one unless given.").Optional();

    public static HandlerOperation<TraceRequest, TraceAnswer> Get { get; } = new(Resource, "debug.trace", HttpMethods.Get, "/v2/debug/trace", Access.Read)
    {
        Summary = "What the game did, event by event",
        Description = "From the history that `debug.keepHistory` keeps: a second machine repeats the frames, so that the game runs on undisturbed, and the same request gives the same events. Events are numbered in each frame, those "
            + "that are asked for; `next` is where the next request continues, also in frames that have not been yet. `missed` says how many frames at the beginning are not kept any more.",
        Request = Parameters.Of(
            Kinds,
            Location,
            Parameter.Integer("length", 1, (long)Limits.PointLength, "How many bytes of instructions; those of the function, which ends at the next symbol at the latest, or 1, unless given.").Optional(),
            From,
            Parameter.Integer("number", 0, (long)Limits.TraceNumber, "From which event of this frame on.").Or(0),
            Parameter.Integer("count", Limits.MinTraceCount, (long)Limits.TraceCount, "How many events.").Or(ReadTrace.DefaultCount),
            static (kinds, location, length, from, number, count) => new TraceRequest(kinds, location, length, from, number, count)),
        Run = RunAsync,
        TakesFrames = true,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","events":[{"at":4700,"number":0,"cycle":1204,"line":161,"kind":"call","pc":"0x08000124","symbol":"main+0x24","address":"0x080001EC","name":"update"}],"next":{"from":4700,"number":1},"missed":0}""",
        Statuses = [(FailureKind.NoSuchName, "the game has no symbol of this name."), HistoryOperations.NoHistory, DebugOperations.NotInWindow],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get];

    private static async ValueTask<Result<TraceAnswer>> RunAsync(Invocation invocation, TraceRequest request)
    {
        var (game, unread) = await DebuggedGame.ReadAsync(invocation);
        if (game is null)
        {
            return unread!;
        }

        var place = default(BusPlace?);
        if (request.Location is not null)
        {
            var table = game.Game.Names.Symbols;
            var size = table is not null && table.TryGet(request.Location, out var function) ? table.SizeOf(function) : null;
            (place, var unknown) = await game.FindAsync(invocation, request.Location, request.Length ?? size);
            if (unknown is not null)
            {
                return unknown;
            }
        }

        var command = new ReadTrace(request.Kinds, request.From, request.Number, request.Count, place?.At.Address, place?.At.Address + place?.Bytes - 1);
        return await HistoryOperations.ForSearch(invocation).SendAsync(
            command,
            reply =>
            {
                var nameOf = game.NamesIn(reply.Epoch);
                var trace = ReadTrace.Parse(reply);
                return new TraceAnswer(
                    reply.Frame, reply.Epoch, [.. trace.Events.Select(one => AnswerOf(one, game.Game.IsGameBoy, nameOf))], new TracePlace(trace.Frame, trace.Number), trace.Missed);
            },
            HistoryOperations.LongestSearch);
    }

    private static TraceEventAnswer AnswerOf(in TraceEvent one, bool isGameBoy, Func<long, long?, string?> nameOf)
    {
        var isWrite = one.Size > 0;
        return new TraceEventAnswer(
            one.Frame,
            one.Number,
            one.Cycle,
            one.Line,
            one.Kind,
            Hex.Of(one.Pc),
            isGameBoy ? one.Bank : null,
            nameOf(one.Pc, one.Bank),
            one.Text.Length > 0 ? one.Text : null,
            one.Address is { } address ? Hex.Of(address) : null,
            one.Address is { } place ? nameOf(place, isWrite ? null : one.Bank) : null,
            isWrite ? one.Size : null,
            isWrite ? one.Value : null,
            isWrite ? one.ByDma : null);
    }
}
