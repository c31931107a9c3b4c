using MgbaBridge.Gateway.Api.Http;

namespace MgbaBridge.Gateway.Api.Search;

/// <summary>What the API's document says about <see cref="SearchEndpoints"/>.</summary>
internal static class SearchDescriptions
{
    private const string Tag = "Search";

    private const string Example =
        """{"frame":4711,"epoch":"9f3a01c2","id":"4b1d90aa","type":"u16","endian":"little","alignment":2,"ranges":[{"location":"wram:0x0","length":262144}],"passes":1,"count":131072,"memory":1327136}""";

    private static readonly (int Status, string When) NotThere = (404, "There is no such search, or it was forgotten.");

    public static OperationDescription Start { get; } = new(Tag, "Begin a search for a number in memory")
    {
        Description = "Remembers memory as it is in one frame; every place is a candidate until `refine` strikes it. Searches live in the gateway: "
            + "together they keep a bounded number of bytes (`Bridge:Search:MaxMemory`), and one that nobody asks for is forgotten (`Bridge:Search:IdleTimeout`).",
        Body = Content.Json<SearchBody>("""{"type":"u16","domains":["wram"]}"""),
        Answers = [Content.Json<SearchAnswer>(Example)],
        OtherResponses = [(507, "The searches keep as many bytes as they may; `detail` says how many.")],
    };

    public static OperationDescription List { get; } = new(Tag, "The searches, and what they keep")
    {
        Asks = false,
        Answers = [Content.Json<SearchesAnswer>($$"""{"searches":[{{Example}}],"memory":1327136,"maxMemory":67108864}""")],
    };

    public static OperationDescription Look { get; } = new(Tag, "How a search stands")
    {
        Asks = false,
        Answers = [Content.Json<SearchAnswer>(Example)],
        OtherResponses = [NotThere],
    };

    public static OperationDescription Forget { get; } = new(Tag, "Forget a search")
    {
        Description = "Answers how it stood.",
        Asks = false,
        Answers = [Content.Json<SearchAnswer>(Example)],
        OtherResponses = [NotThere],
    };

    public static OperationDescription Refine { get; } = new(Tag, "Keep the places that pass a test")
    {
        Description = "Looks at memory again, all of it in one frame, and strikes the places that do not pass. When the game or the script has changed since the search began: 409 `epoch-changed`, and nothing is struck.",
        Body = Content.Json<RefineBody>("""{"is":"increased","value":3}"""),
        Answers = [Content.Json<SearchAnswer>(Example)],
        OtherResponses = [NotThere, (409, "The game or the script is another one since the search began.")],
    };

    public static OperationDescription Matches { get; } = new(Tag, "The places that are left")
    {
        Asks = false,
        Inputs = Page.Inputs(SearchEndpoints.MaxPage),
        Answers = [Content.Json<MatchesAnswer>("""{"frame":4712,"epoch":"9f3a01c2","count":1,"matches":[{"location":"wram:0x82","value":14136,"first":14130,"history":[{"frame":4709,"value":14130},{"frame":4710,"value":14133},{"frame":4711,"value":14136}]}]}""")],
        OtherResponses = [NotThere],
    };
}
