using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Api.Search;

/// <summary>RAM search: finds the locations of a number in memory.</summary>
internal static class SearchOperations
{
    private const string Tag = "Search";
    private const string One = "/v2/searches/{search}";
    private const int MaxPage = 1_000;

    private const string Example =
        """{"frame":4711,"epoch":"9f3a01c2","id":"4b1d90aa","type":"u16","endian":"little","alignment":2,"ranges":[{"location":"wram:0x0","length":262144}],"passes":1,"count":131072,"memory":1327136}""";

    private static readonly (int Status, string When) NotFound = (404, "There is no such search, or it was deleted.");

    public static HandlerOperation<SearchBody, SearchAnswer> Start { get; } = new("searches.start", HttpMethods.Post, "/v2/searches", Access.Play)
    {
        Tag = Tag,
        Summary = "Start a search for a number in memory",
        Description = "Stores the content of memory in one frame; every location is a candidate until `refine` removes it. The gateway holds the searches: "
            + "together they keep a bounded number of bytes (`Bridge:Search:MaxMemory`), and an unused one is deleted (`Bridge:Search:IdleTimeout`).",
        Request = Request.Body<SearchBody>(SearchJson.Default, """{"type":"u16","domains":["wram"]}"""),
        Run = StartAsync,
        Response = SearchJson.Default,
        ResponseExample = Example,
        OtherResponses = [(507, "The memory limit of searches is reached; `detail` has the limit.")],
    };

    public static HandlerOperation<NoParameters, SearchesAnswer> List { get; } = new("searches.list", HttpMethods.Get, "/v2/searches", Access.Read)
    {
        Tag = Tag,
        Summary = "The searches and their memory",
        UsesEmulator = false,
        Request = Request.None,
        Run = static (context, _) =>
        {
            var searches = context.Single<Searches>();
            SearchAnswer[] all = [.. searches.Of(context.Emulator).Select(SearchAnswer.Of)];
            return ValueTask.FromResult<OperationResult<SearchesAnswer>>(new SearchesAnswer(all, searches.Memory, searches.MaxMemory));
        },
        Response = SearchJson.Default,
        ResponseExample = $$"""{"searches":[{{Example}}],"memory":1327136,"maxMemory":67108864}""",
    };

    public static HandlerOperation<SearchName, SearchAnswer> Get { get; } = new("searches.get", HttpMethods.Get, One, Access.Read)
    {
        Tag = Tag,
        Summary = "The state of a search",
        UsesEmulator = false,
        Request = Named,
        Run = static (context, name) => ValueTask.FromResult(Find(context, name.Search, out var search) is { } refusal ? refusal : ResultOf(search)),
        Response = SearchJson.Default,
        ResponseExample = Example,
        OtherResponses = [NotFound],
    };

    public static HandlerOperation<SearchName, SearchAnswer> Delete { get; } = new("searches.delete", HttpMethods.Delete, One, Access.Play)
    {
        Tag = Tag,
        Summary = "Delete a search",
        Description = "Returns its last state.",
        UsesEmulator = false,
        Request = Named,
        Run = static (context, name) =>
        {
            if (Find(context, name.Search, out var search) is { } refusal)
            {
                return ValueTask.FromResult<OperationResult<SearchAnswer>>(refusal);
            }

            context.Single<Searches>().Remove(search);
            return ValueTask.FromResult(ResultOf(search));
        },
        Response = SearchJson.Default,
        ResponseExample = Example,
        OtherResponses = [NotFound],
    };

    public static HandlerOperation<RefineRequest, SearchAnswer> Refine { get; } = new("searches.refine", HttpMethods.Post, One + "/refine", Access.Play)
    {
        Tag = Tag,
        Summary = "Keep the candidates that pass a test",
        Description = "Reads memory again, all of it in one frame, and removes the candidates that do not pass. When the game or the script has changed since the search began: 409 `epoch-changed`, and nothing is removed.",
        Request = Request.Body<RefineRequest, RefineBody>(SearchJson.Default, """{"is":"increased","value":3}""", static (HttpContext http, RefineBody body, out RefineRequest request) =>
        {
            request = new RefineRequest(body, NameIn(http));
            return null;
        }),
        Run = RefineAsync,
        Response = SearchJson.Default,
        ResponseExample = Example,
        OtherResponses = [NotFound, (409, "The game or the script is another one since the search began.")],
    };

    public static HandlerOperation<MatchesRequest, MatchesAnswer> Matches { get; } = new("searches.matches", HttpMethods.Get, One + "/matches", Access.Read)
    {
        Tag = Tag,
        Summary = "The remaining candidates",
        UsesEmulator = false,
        Inputs = Page.Inputs(MaxPage),
        Request = Request.Route(SearchJson.Default, static (HttpContext http, out MatchesRequest request) =>
        {
            var wrong = Page.Read(http, MaxPage, out var page);
            request = new MatchesRequest { Search = NameIn(http), Offset = page.Offset, Limit = page.Limit };
            return wrong;
        }),
        Run = static (context, request) => ValueTask.FromResult(MatchesOf(context, request)),
        Response = SearchJson.Default,
        ResponseExample = """{"frame":4712,"epoch":"9f3a01c2","count":1,"matches":[{"location":"wram:0x82","value":14136,"first":14130,"history":[{"frame":4709,"value":14130},{"frame":4710,"value":14133},{"frame":4711,"value":14136}]}]}""",
        OtherResponses = [NotFound],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Start, List, Get, Delete, Refine, Matches];

    private static RequestBinding<SearchName> Named => Request.Route(SearchJson.Default, static (HttpContext http, out SearchName request) =>
    {
        request = new SearchName(NameIn(http));
        return null;
    });

    private static string NameIn(HttpContext http) => http.Request.RouteValues["search"] as string ?? "";

    private static Refusal? Find(OperationContext context, string id, out RamSearch search)
    {
        search = context.Single<Searches>().Find(context.Emulator, id)!;
        return search is not null ? null : Refusal.NotFound("search", $"There is no search {id}. Unused searches are deleted after a while (Bridge:Search:IdleTimeout).");
    }

    private static OperationResult<SearchAnswer> ResultOf(RamSearch search)
    {
        var answer = SearchAnswer.Of(search);
        return new OperationResult<SearchAnswer>(answer, null).At(answer.Frame, answer.Epoch);
    }

    private static async ValueTask<OperationResult<SearchAnswer>> StartAsync(OperationContext context, SearchBody body)
    {
        if (body.Plan(out var wrong) is not { } plan)
        {
            return Refusal.BadRequest(wrong!);
        }

        return await context.Single<Searches>().StartAsync(context.Emulator, plan, context.Cancelled) switch
        {
            { Search: { } search } => ResultOf(search),
            { Failure: { } failure } => Refusal.Of(failure),
            { Full: { } full } => Refusal.MemoryFull(full),
            var outcome => Refusal.BadRequest(outcome.Wrong!),
        };
    }

    private static async ValueTask<OperationResult<SearchAnswer>> RefineAsync(OperationContext context, RefineRequest request)
    {
        if (Find(context, request.Search, out var search) is { } refusal)
        {
            return refusal;
        }

        if (request.Frames is < 1 or > RefineBody.MaxFrames)
        {
            return Refusal.BadRequest($"frames is 1 to {RefineBody.MaxFrames}.");
        }

        if (request.Test.Wrong(search.ValueType) is { } wrong)
        {
            return Refusal.BadRequest(wrong);
        }

        return await search.PassAsync(request.Test, request.Frames ?? 1, context.Cancelled) is { } failure ? Refusal.Of(failure) : ResultOf(search);
    }

    private static OperationResult<MatchesAnswer> MatchesOf(OperationContext context, MatchesRequest request)
    {
        if (Find(context, request.Search, out var search) is { } refusal)
        {
            return refusal;
        }

        if (Page.Make(request.Offset, request.Limit, MaxPage, out var page) is { } wrong)
        {
            return Refusal.BadRequest(wrong);
        }

        var (state, found) = search.Matches(page.Offset, page.Limit);
        var answer = new MatchesAnswer(state.Frame, search.Epoch, state.Count, page.Next(found.Count, state.Count), [.. found.Select(MatchAnswer.Of)]);
        return new OperationResult<MatchesAnswer>(answer, null).At(answer.Frame, answer.Epoch);
    }
}

/// <summary>The JSON of searches.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(NumberTypeConverter), typeof(EndianConverter), typeof(SearchComparisonConverter), typeof(SearchAgainstConverter)])]
[JsonSerializable(typeof(SearchBody))]
[JsonSerializable(typeof(SearchName))]
[JsonSerializable(typeof(RefineBody))]
[JsonSerializable(typeof(RefineRequest))]
[JsonSerializable(typeof(MatchesRequest))]
[JsonSerializable(typeof(SearchAnswer))]
[JsonSerializable(typeof(SearchesAnswer))]
[JsonSerializable(typeof(MatchesAnswer))]
internal sealed partial class SearchJson : JsonSerializerContext;
