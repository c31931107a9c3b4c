using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Api.Search;

/// <summary>RAM search: where in memory is the number that I see on the screen?</summary>
public static class SearchEndpoints
{
    /// <summary>The most matches that are told at once.</summary>
    internal const int MaxPage = 1_000;

    private const string One = "/v2/searches/{search}";

    /// <summary>Adds <c>/v2/searches</c> and what is below it.</summary>
    public static void MapSearches(this IEndpointRouteBuilder routes)
    {
        routes.MapPost("/v2/searches", Start).Describe(SearchDescriptions.Start);
        routes.MapGet("/v2/searches", List).Describe(SearchDescriptions.List);
        routes.MapGet(One, http => WithSearch(http, AnswerAsync)).Describe(SearchDescriptions.Look);
        routes.MapDelete(One, http => WithSearch(http, ForgetAsync)).Describe(SearchDescriptions.Forget);
        routes.MapPost(One + "/refine", http => WithSearch(http, RefineAsync)).Describe(SearchDescriptions.Refine);
        routes.MapGet(One + "/matches", http => WithSearch(http, MatchesAsync)).Describe(SearchDescriptions.Matches);
    }

    private static Task Start(HttpContext http) => http.WithEmulatorAsync(async (http, emulator) =>
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.SearchBody) is not { } body)
        {
            return;
        }

        if (body.Plan(out var wrong) is not { } plan)
        {
            await Problems.BadRequestAsync(http, wrong!);
            return;
        }

        await (await http.Single<Searches>().StartAsync(emulator, plan, http.RequestAborted) switch
        {
            { Search: { } search } => AnswerAsync(http, search),
            { Failure: { } failure } => Problems.WriteAsync(http, emulator.Id, failure).AsTask(),
            { Full: { } full } => Problems.FullAsync(http, full).AsTask(),
            var outcome => Problems.BadRequestAsync(http, outcome.Wrong!).AsTask(),
        });
    });

    private static Task List(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        var searches = http.Single<Searches>();
        SearchAnswer[] all = [.. searches.Of(emulator).Select(SearchAnswer.Of)];
        await JsonBody.WriteAsync(http, new SearchesAnswer(all, searches.Memory, searches.MaxMemory), BridgeJson.Default.SearchesAnswer);
    });

    private static Task WithSearch(HttpContext http, Func<HttpContext, RamSearch, Task> then) => http.WithEmulatorAsync(async (http, emulator) =>
    {
        var id = http.Request.RouteValues["search"] as string;
        await (http.Single<Searches>().Find(emulator, id) is { } search
            ? then(http, search)
            : Problems.NotThereAsync(http, "search", $"There is no search {id}. One that nobody asks for is forgotten after a while (Bridge:Search:IdleTimeout).").AsTask());
    });

    private static async Task RefineAsync(HttpContext http, RamSearch search)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.RefineBody) is not { } body)
        {
            return;
        }

        var wrong = body.Frames is < 1 or > RefineBody.MaxFrames ? $"frames is 1 to {RefineBody.MaxFrames}." : body.Test.Wrong(search.Form);
        if (wrong is not null)
        {
            await Problems.BadRequestAsync(http, wrong);
        }
        else if (await search.PassAsync(body.Test, body.Frames ?? 1, http.RequestAborted) is { } failure)
        {
            await Problems.WriteAsync(http, search.EmulatorId, failure);
        }
        else
        {
            await AnswerAsync(http, search);
        }
    }

    private static async Task MatchesAsync(HttpContext http, RamSearch search)
    {
        if (await Page.ReadAsync(http, MaxPage) is not { } page)
        {
            return;
        }

        var (state, found) = search.Matches(page.Offset, page.Limit);
        Headers.SetFrame(http.Response, state.Frame, search.Epoch);
        await JsonBody.WriteAsync(
            http,
            new MatchesAnswer(state.Frame, search.Epoch, state.Count, page.Next(found.Count, state.Count), [.. found.Select(MatchAnswer.Of)]),
            BridgeJson.Default.MatchesAnswer);
    }

    private static async Task AnswerAsync(HttpContext http, RamSearch search)
    {
        var answer = SearchAnswer.Of(search);
        Headers.SetFrame(http.Response, answer.Frame, answer.Epoch);
        await JsonBody.WriteAsync(http, answer, BridgeJson.Default.SearchAnswer);
    }

    private static async Task ForgetAsync(HttpContext http, RamSearch search)
    {
        http.Single<Searches>().Remove(search);
        await AnswerAsync(http, search);
    }
}
