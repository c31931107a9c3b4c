using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.Search;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Finds where a number is in memory.</summary>
internal sealed class SearchTool : AgentTool
{
    private const string Start = "start";
    private const string Refine = "refine";
    private const string List = "list";
    private const string Delete = "delete";
    private const int Shown = 20;

    [SetsRequiredMembers]
    public SearchTool()
        : base("search_ram", Access.Play)
    {
        Title = "Search memory for a number";
        Description = "Finds the address of a number that you see change. start takes a copy of work memory (every place is a candidate); then make the number change in the game and refine with what "
            + "happened to it, until few candidates are left; list shows them. Changes nothing in the game. Typical: start with type u8, press something, refine with is decreased, wait, refine with is unchanged.";
        Parameters =
        [
            new ToolParameter("action", ArgumentKind.Text, "start, refine, list, or delete.") { IsRequired = true, Choices = [Start, Refine, List, Delete] },
            new ToolParameter("search", ArgumentKind.Text, "The id that start returned; the newest search unless given.") { MaxLength = 32 },
            new ToolParameter("type", ArgumentKind.Text, "For start: the kind of number; u16 unless given.") { Choices = WordsOf<NumberType>() },
            new ToolParameter("domain", ArgumentKind.Text, "For start: a memory domain such as wram or iwram; all work memory unless given.") { MaxLength = 32 },
            new ToolParameter("is", ArgumentKind.Text, "For refine: how the number must compare with value, or with the last pass (changed, unchanged, increased, decreased).")
            { Choices = WordsOf<SearchComparison>() },
            new ToolParameter("value", ArgumentKind.Integer, "For refine: the number to compare with; for increased and decreased by how much.") { Min = int.MinValue, Max = uint.MaxValue },
            new ToolParameter("to", ArgumentKind.Integer, "For refine with between: the other end, included.") { Min = int.MinValue, Max = uint.MaxValue },
            new ToolParameter("offset", ArgumentKind.Integer, "For list: how many candidates to skip.") { Min = 0, Max = 4_194_304 },
        ];
        Output = ToolJson.Default.SearchedAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var arguments = call.Arguments;
        var action = arguments.Text("action")!;
        call.Note = $"{action} {arguments.Text("is")} {arguments.Integer("value")}".TrimEnd();
        if (action == Start)
        {
            var type = Enum.Parse<NumberType>(arguments.Text("type") ?? "u16", ignoreCase: true); // one of the choices
            var started = await call.RunAsync(SearchOperations.Start, SearchOperations.PlanOf(type, arguments.Text("domain") is { } domain ? [domain] : []));
            return Result(Of(started, null));
        }

        var id = arguments.Text("search") ?? call.Single<Searches>().Of(call.Emulator).MaxBy(search => search.LastAsked)?.Id
            ?? throw new ToolException("There is no search of this emulator.", "call search_ram with action start.");
        if (action == Delete)
        {
            return Result(Of(await call.RunAsync(SearchOperations.Delete, id), null));
        }

        if (action == Refine)
        {
            var word = arguments.Text("is") ?? throw new ToolException("refine needs the argument is.", "say how the number has changed, such as is decreased, or is eq with a value.");
            await call.RunAsync(SearchOperations.Refine, RefineRequest.Of(id, Enum.Parse<SearchComparison>(word, ignoreCase: true), null, arguments.Integer("value"), arguments.Integer("to"), 1));
        }

        var state = await call.RunAsync(SearchOperations.Get, id);
        var offset = (int)(arguments.Integer("offset") ?? 0);
        var shown = state.Passes > 1 || action == List ? await call.RunAsync(SearchOperations.Matches, (id, new Page(offset, Shown))) : null;
        return Result(Of(state, shown));
    }

    private static string[] WordsOf<T>()
        where T : struct, Enum => [.. Enum.GetNames<T>().Select(JsonNamingPolicy.CamelCase.ConvertName)];

    private static SearchedAnswer Of(SearchAnswer state, MatchesAnswer? shown) => new(
        state.Id, state.Frame, state.Count, state.Passes, shown?.Next,
        shown is null ? null : [.. shown.Matches.Select(match => new CandidateAnswer($"{match.Location} {state.Type.ToString().ToLowerInvariant()}", match.Value, match.First))]);
}

/// <summary>A written value.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame in which it was written.</param>
/// <param name="Place">The place, as it was requested.</param>
/// <param name="At">Where it was written.</param>
/// <param name="Before">What it was before.</param>
internal sealed record WrittenAnswer(string Emulator, long Frame, string Place, string At, JsonNode? Before);

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
