using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Search;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Search;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Finds where a number is in memory.</summary>
internal static class SearchTool
{
    private const int Shown = 20;

    public static AgentTool Tool { get; } = new AgentTool<SearchToolRequest, SearchedAnswer>("search_ram", Access.Play)
    {
        Title = "Search memory for a number",
        IsRare = true,
        Serves = new Dictionary<Operation, string> { [SearchOperations.Start] = " with action start", [SearchOperations.Undo] = " with action undo", [SearchOperations.Delete] = " with action delete" },
        Description = "Finds the address of a number that you see change. start takes a copy of work memory (every place is a candidate); then make the number change in the game and refine with what "
            + "happened to it, until few candidates are left; undo takes back a wrong refine; list shows them. Changes nothing in the game. Typical: start with type u8, press something, refine with is decreased, wait, refine with is unchanged.",
        Request = Parameters.Of(
            Parameter.Choice<SearchAction>("action", "What to do."),
            SearchOperations.Name.Optional() with { Sentence = "The id that start returned; the newest search unless given." },
            SearchOperations.Type.Or(NumberType.U16) with { Sentence = "For start: the kind of number." },
            Parameter.Text("domain", "For start: a memory domain such as wram or iwram; all work memory unless given.", 32).Optional(),
            SearchOperations.Is.Optional() with { Sentence = "For refine: how the number must compare with value, or with the last pass (changed, unchanged, increased, decreased)." },
            SearchOperations.Value with { Sentence = "For refine: the number to compare with; for changed, increased and decreased by how much." },
            SearchOperations.To with { Sentence = "For refine with between: the other end, included." },
            Page.OffsetParameter with { Sentence = "For list: how many candidates to skip." },
            SearchOperations.Past with { Sentence = "For start and refine: look at memory as it was before this frame, if the history of the game is kept (who_wrote and trace begin one); the present unless given." },
            static Made<SearchToolRequest> (action, search, type, domain, comparison, value, to, offset, past) => action == SearchAction.Refine && comparison is null
                ? new WrongParameters("refine needs is: how the number has changed, such as is decreased, or is eq with a value.")
                : new SearchToolRequest(action, search, type, domain, comparison, value, to, offset, past)),
        Run = RunAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<SearchedAnswer> RunAsync(ToolCall call, SearchToolRequest request)
    {
        var action = request.Action;
        call.Note = $"{action} {request.Is} {request.Value}".TrimEnd().ToLowerInvariant();
        if (action == SearchAction.Start)
        {
            return Of(await call.RunAsync(SearchOperations.Start, SearchOperations.PlanOf(request.Type, request.Domain is { } domain ? [domain] : []) with { Past = request.Past }), null);
        }

        var id = request.Search ?? call.Get<Searches>().Of(call.Emulator).MaxBy(search => search.LastAsked)?.Id
            ?? throw new ToolException("There is no search of this emulator.", "call search_ram with action start.");
        if (action == SearchAction.Delete)
        {
            return Of(await call.RunAsync(SearchOperations.Delete, id), null);
        }

        if (action == SearchAction.Undo)
        {
            await call.RunAsync(SearchOperations.Undo, id);
        }
        else if (action == SearchAction.Refine)
        {
            await call.RunAsync(SearchOperations.Refine, RefineRequest.Of(id, request.Is!.Value, null, request.Value, request.To, 1, request.Past));
        }

        var state = await call.RunAsync(SearchOperations.Get, id);
        return Of(state, state.Passes > 1 || action == SearchAction.List ? await call.RunAsync(SearchOperations.Matches, (id, new Page(request.Offset, Shown))) : null);
    }

    private static SearchedAnswer Of(SearchAnswer state, MatchesAnswer? shown) => new(
        state.Id, state.Frame, state.Count, state.Passes, shown?.Next,
        shown is null ? null : [.. shown.Matches.Select(match => new CandidateAnswer($"{match.Location} {state.Type.ToString().ToLowerInvariant()}", match.Value, match.First))]);
}

/// <summary>What to do with a search.</summary>
internal enum SearchAction
{
    Start,
    Refine,
    Undo,
    List,
    Delete,
}

/// <summary>A call of the tool.</summary>
internal readonly record struct SearchToolRequest(
    SearchAction Action, string? Search, NumberType Type, string? Domain, SearchComparison? Is, long? Value, long? To, int Offset, long? Past);

/// <summary>A search.</summary>
/// <param name="Search">Its id.</param>
/// <param name="Frame">The frame of the last pass.</param>
/// <param name="Count">How many candidates are left.</param>
/// <param name="Passes">How often memory was read.</param>
/// <param name="Next">The offset of further candidates, if there are.</param>
/// <param name="Candidates">The first ones.</param>
internal sealed record SearchedAnswer(string Search, long Frame, int Count, long Passes, int? Next, IReadOnlyList<CandidateAnswer>? Candidates);

/// <summary>A candidate of a search.</summary>
/// <param name="Place">Its place and type, as read and write take it.</param>
/// <param name="Value">Its number in the last pass.</param>
/// <param name="First">Its number when the search began.</param>
internal sealed record CandidateAnswer(string Place, long Value, long First);
