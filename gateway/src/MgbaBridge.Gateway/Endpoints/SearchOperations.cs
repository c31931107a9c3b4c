using MgbaBridge.Gateway.Endpoints.OpenApi;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What the API's document says about <see cref="SearchEndpoints"/>.</summary>
internal static class SearchOperations
{
    private const string Tag = "Search";

    private const string Example =
        """{"frame":4711,"epoch":"9f3a01c2","id":"4b1d90aa","type":"u16","endian":"little","alignment":2,"ranges":[{"location":"wram:0x0","length":262144}],"passes":1,"count":131072,"memory":1327136}""";

    private static readonly (int Status, string When) NotThere = (404, "There is no such search, or it was forgotten.");

    public static Operation Start { get; } = new(Tag, "Begin a search for a number in memory")
    {
        Description = "Remembers memory as it is in one frame; every place is a candidate until `refine` strikes it. Searches live in the gateway: "
            + "together they keep a bounded number of bytes (`Bridge:Search:MaxMemory`), and one that nobody asks for is forgotten (`Bridge:Search:IdleTimeout`).",
        Body = Content.Json<SearchBody>("""{"type":"u16","domains":["wram"]}"""),
        Answers = [Content.Json<SearchAnswer>(Example)],
        Otherwise = [(507, "The searches keep as many bytes as they may; `detail` says how many.")],
    };

    public static Operation List { get; } = new(Tag, "The searches, and what they keep")
    {
        Asks = false,
        Answers = [Content.Json<SearchesAnswer>($$"""{"searches":[{{Example}}],"memory":1327136,"maxMemory":67108864}""")],
    };

    public static Operation Look { get; } = new(Tag, "How a search stands")
    {
        Asks = false,
        Answers = [Content.Json<SearchAnswer>(Example)],
        Otherwise = [NotThere],
    };

    public static Operation Forget { get; } = new(Tag, "Forget a search")
    {
        Description = "Answers how it stood.",
        Asks = false,
        Answers = [Content.Json<SearchAnswer>(Example)],
        Otherwise = [NotThere],
    };

    public static Operation Refine { get; } = new(Tag, "Keep the places that pass a test")
    {
        Description = "Looks at memory again, all of it in one frame, and strikes the places that do not pass. When the game or the script has changed since the search began: 409 `epoch-changed`, and nothing is struck.",
        Body = Content.Json<RefineBody>("""{"is":"increased","value":3}"""),
        Answers = [Content.Json<SearchAnswer>(Example)],
        Otherwise = [NotThere, (409, "The game or the script is another one since the search began.")],
    };

    public static Operation Matches { get; } = new(Tag, "The places that are left")
    {
        Asks = false,
        Inputs = Page.Inputs(SearchEndpoints.LargestPage),
        Answers = [Content.Json<MatchesAnswer>("""{"frame":4712,"epoch":"9f3a01c2","count":1,"matches":[{"location":"wram:0x82","value":14136,"first":14130,"history":[{"frame":4709,"value":14130},{"frame":4710,"value":14133},{"frame":4711,"value":14136}]}]}""")],
        Otherwise = [NotThere],
    };
}
