using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Search;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Search;

/// <summary>RAM search: finds the locations of a number in memory.</summary>
internal static class SearchOperations
{
    private static readonly Resource Resource = new("Search", SearchJson.Default);
    private const string One = "/v2/searches/{search}";
    private const int MaxPage = 1_000;
    private const int MaxFrames = 600;

    private const string Example =
        """{"frame":4711,"epoch":"9f3a01c2","id":"4b1d90aa","type":"u16","endian":"little","alignment":2,"ranges":[{"location":"wram:0x0","length":262144}],"passes":1,"count":131072,"memory":1605696,"canUndo":false}""";

    /// <summary>The id of a search.</summary>
    internal static Parameter<string> Name { get; } = Parameter.Text("search", "The id of a search.") with { Example = "4b1d90aa" };

    /// <summary>The type of the number.</summary>
    internal static Parameter<NumberType> Type { get; } = Parameter.Choice<NumberType>("type", "What the number is.");

    /// <summary>How a pass compares.</summary>
    internal static Parameter<SearchComparison> Is { get; } = Parameter.Choice<SearchComparison>("is", "How it is compared.");

    /// <summary>What a pass compares with.</summary>
    internal static Parameter<long?> Value { get; } = Parameter.Integer("value", long.MinValue, long.MaxValue,
        "The value. Against an earlier pass it is the difference from it (which wraps around as the number does): allowed for eq, ne, between, increased, decreased, and changed (in either direction).").Optional();

    /// <summary>The other end of a range.</summary>
    internal static Parameter<long?> To { get; } = Parameter.Integer("to", long.MinValue, long.MaxValue, "The other end of between, included.").Optional();

    /// <summary>Out of the history of the game.</summary>
    internal static Parameter<long?> Past { get; } = Parameter.Integer("past", 0, Limits.PastFrame,
        "A frame out of the history that `debug.keepHistory` keeps: memory as it was before this frame ran, in any order of moments. The present unless given.").Optional();

    private static readonly Parameters<MemoryRange> Range = Parameters.Of(
        Parameter.Location("location", "Where it starts."), Parameter.Integer("length", 1, long.MaxValue, "How many bytes."), static (location, length) => new MemoryRange(location, length, null));

    private static readonly StatusNote NoHistory = (ErrorCode.NotRunning, "`past` is given, and no history is kept; `debug.keepHistory` begins one.");
    private static readonly StatusNote NotFound = (FailureKind.NoSuchSearch, "there is no such search, or it was deleted.");

    public static HandlerOperation<SearchPlan, SearchAnswer> Start { get; } = new(Resource, "searches.start", HttpMethods.Post, "/v2/searches", Access.Play)
    {
        Summary = "Start a search for a number in memory",
        Description = "Stores the content of memory in one frame; every location is a candidate until `refine` removes it. The gateway holds the searches: "
            + "together they keep a bounded number of bytes (`Bridge:Search:MaxMemory`), and an unused one is deleted after 10 minutes.",
        Request = Parameters.Of(
            Type,
            Parameter.Choice<Endian>("endian", "Which byte comes first.").Or(Endian.Little),
            Parameter.Integer("alignment", 1, 4, "1, 2 or 4: where a number may start, counted from the start of its domain or range. As wide as the number unless given.").Optional(),
            Parameter.Texts("domains", "Domains to look through, by their `id` in `memory.domains`. With no `ranges` either: work memory (`wram`, `iwram`, `hram`).", 0, 64).Optional(),
            Parameter.List("ranges", Range, 0, Limits.Repeats, """[{"location":"wram:0x0","length":4096}]""", $"Parts of memory to look through. With the domains up to {Searches.MaxRead >> 20} MiB.").Optional(),
            Parameter.Integer("keep", 1, SearchPlan.MaxKept, "How many of the last passes are remembered.").Or(SearchPlan.UsuallyKept),
            Past,
            static Made<SearchPlan> (type, endian, alignment, domains, ranges, keep, past) => alignment == 3
                ? new WrongParameters("alignment is 3; expected 1, 2 or 4.")
                : new SearchPlan(new SearchValueType(type, endian, alignment ?? type.Bytes()), domains ?? [], ranges ?? [], keep, past)),
        RequestExample = """{"type":"u16","domains":["wram"]}""",
        Run = StartAsync,
        ResponseExample = Example,
        Statuses = [(FailureKind.MemoryFull, "the memory limit of searches is reached; `detail` has the limit."), NoHistory],
    };

    public static HandlerOperation<NoParameters, SearchesAnswer> List { get; } = new(Resource, "searches.list", HttpMethods.Get, "/v2/searches", Access.Read)
    {
        Summary = "The searches and their memory",
        UsesEmulator = false,
        Request = Parameters.None,
        Run = static (invocation, _) =>
        {
            var searches = invocation.Get<Searches>();
            SearchAnswer[] all = [.. searches.Of(invocation.Emulator).Select(SearchAnswer.Of)];
            return ValueTask.FromResult<Result<SearchesAnswer>>(new SearchesAnswer(all, searches.Memory, searches.MaxMemory));
        },
        ResponseExample = $$"""{"searches":[{{Example}}],"memory":1605696,"maxMemory":67108864}""",
    };

    public static HandlerOperation<string, SearchAnswer> Get { get; } = new(Resource, "searches.get", HttpMethods.Get, One, Access.Read)
    {
        Summary = "The state of a search",
        UsesEmulator = false,
        Request = Parameters.Of(Name),
        Run = static (invocation, name) => ValueTask.FromResult(Find(invocation, name, out var search) is { } failure ? failure : ResultOf(search)),
        ResponseExample = Example,
        Statuses = [NotFound],
    };

    public static HandlerOperation<string, SearchAnswer> Delete { get; } = new(Resource, "searches.delete", HttpMethods.Delete, One, Access.Play)
    {
        Summary = "Delete a search",
        Description = "Returns its last state.",
        UsesEmulator = false,
        Request = Parameters.Of(Name),
        Run = static (invocation, name) =>
        {
            if (Find(invocation, name, out var search) is { } failure)
            {
                return ValueTask.FromResult<Result<SearchAnswer>>(failure);
            }

            invocation.Get<Searches>().Remove(search);
            return ValueTask.FromResult(ResultOf(search));
        },
        ResponseExample = Example,
        Statuses = [NotFound],
    };

    public static HandlerOperation<RefineRequest, SearchAnswer> Refine { get; } = new(Resource, "searches.refine", HttpMethods.Post, One + "/refine", Access.Play)
    {
        Summary = "Keep the candidates that pass a test",
        Description = "Reads memory again, all of it in one frame, and removes the candidates that do not pass. When the game or the script has changed since the search began: 409 `epoch-changed`, and nothing is removed.",
        Request = Parameters.Of(
            Name,
            Is,
            Parameter.Choice<SearchAgainst>("against", "With what: a value, the last pass, or the first one. `value` unless given; for changed, unchanged, increased and decreased `last`.").Optional(),
            Value,
            To,
            Parameter.Integer("frames", 1, MaxFrames, "In how many frames it must hold, each later than the one before. With `last`, each frame is compared with the one before. With `past` these are frames of the history.").Or(1),
            Past,
            static (search, comparison, against, value, to, frames, past) => RefineRequest.Of(search, comparison, against, value, to, frames, past)),
        RequestExample = """{"is":"increased","value":3}""",
        Run = RefineAsync,
        ResponseExample = Example,
        Statuses = [NotFound, (FailureKind.OtherGame, "the game or the script is another one since the search began."), NoHistory],
    };

    public static HandlerOperation<string, SearchAnswer> Undo { get; } = new(Resource, "searches.undo", HttpMethods.Post, One + "/undo", Access.Play)
    {
        Summary = "Undo the last test of a search",
        Description = "The candidates and the last pass are those from before the last `refine`, however many frames it took. One test can be undone: 409 `nothing-to-undo` when there was none since.",
        UsesEmulator = false,
        Request = Parameters.Of(Name),
        Run = UndoAsync,
        ResponseExample = Example,
        Statuses = [NotFound, (FailureKind.NothingToUndo, "there was no test since the start or the last undo.")],
    };

    public static HandlerOperation<(string Search, Page Page), MatchesAnswer> Matches { get; } = new(Resource, "searches.matches", HttpMethods.Get, One + "/matches", Access.Read)
    {
        Summary = "The remaining candidates",
        UsesEmulator = false,
        Request = Parameters.Of(Name, Page.OffsetParameter, Page.LimitParameter(MaxPage), static (search, offset, limit) => (search, new Page(offset, limit))),
        Run = static (invocation, request) => ValueTask.FromResult(MatchesOf(invocation, request)),
        ResponseExample = """{"frame":4712,"epoch":"9f3a01c2","count":1,"matches":[{"location":"wram:0x82","value":14136,"first":14130,"history":[{"frame":4709,"value":14130},{"frame":4710,"value":14133},{"frame":4711,"value":14136}]}]}""",
        Statuses = [NotFound],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Start, List, Get, Delete, Refine, Undo, Matches];

    /// <summary>A search of numbers with the usual alignment, in whole domains.</summary>
    internal static SearchPlan PlanOf(NumberType type, IReadOnlyList<string> domains) =>
        new(new SearchValueType(type, Endian.Little, type.Bytes()), domains, [], SearchPlan.UsuallyKept);

    private static Failure? Find(Invocation invocation, string id, out RamSearch search)
    {
        search = invocation.Get<Searches>().Find(invocation.Emulator, id)!;
        return search is not null ? null : new Failure(FailureKind.NoSuchSearch, $"There is no search {id}. Unused searches are deleted after 10 minutes.", new NextStep(Start, "begins one"));
    }

    private static Result<SearchAnswer> ResultOf(RamSearch search)
    {
        var answer = SearchAnswer.Of(search);
        return Result.At(answer, answer.Frame, answer.Epoch);
    }

    private static async ValueTask<Result<SearchAnswer>> StartAsync(Invocation invocation, SearchPlan plan)
    {
        return await invocation.Get<Searches>().StartAsync(invocation.Emulator, plan, invocation.Cancelled) switch
        {
            { Search: { } search } => ResultOf(search),
            { Failure: { } failure } => Failure.Of(failure),
            { Full: { } full } => new Failure(FailureKind.MemoryFull, full, new NextStep(Delete, "deletes one")),
            var outcome => Failure.BadRequest(outcome.Wrong!),
        };
    }

    private static async ValueTask<Result<SearchAnswer>> RefineAsync(Invocation invocation, RefineRequest request)
    {
        if (Find(invocation, request.Search, out var search) is { } failure)
        {
            return failure;
        }

        if (request.Test.Wrong(search.ValueType) is { } wrong)
        {
            return Failure.BadRequest(wrong);
        }

        return await search.PassAsync(request.Test, request.Frames, request.Past, invocation.Cancelled) is { } failed ? Failure.Of(failed) : ResultOf(search);
    }

    private static async ValueTask<Result<SearchAnswer>> UndoAsync(Invocation invocation, string name) =>
        Find(invocation, name, out var search) is { } failure ? failure
        : await search.UndoAsync(invocation.Cancelled) ? ResultOf(search)
        : new Failure(FailureKind.NothingToUndo, $"The search {name} has no test that could be undone: only the last one can, once.", new NextStep(Refine, "tests again"));

    private static Result<MatchesAnswer> MatchesOf(Invocation invocation, (string Search, Page Page) request)
    {
        if (Find(invocation, request.Search, out var search) is { } failure)
        {
            return failure;
        }

        var page = request.Page;
        var (state, found) = search.Matches(page.Offset, page.Limit);
        var answer = new MatchesAnswer(state.Frame, search.Epoch, state.Count, page.Next(found.Count, state.Count), [.. found.Select(MatchAnswer.Of)]);
        return Result.At(answer, answer.Frame, answer.Epoch);
    }
}

/// <summary>The JSON of searches.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(NumberTypeConverter), typeof(EndianConverter)])]
[JsonSerializable(typeof(SearchAnswer))]
[JsonSerializable(typeof(SearchesAnswer))]
[JsonSerializable(typeof(MatchesAnswer))]
internal sealed partial class SearchJson : JsonSerializerContext;
