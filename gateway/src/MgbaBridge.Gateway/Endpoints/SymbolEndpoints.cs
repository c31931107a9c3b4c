using MgbaBridge.Gateway.Endpoints.OpenApi;
using MgbaBridge.Gateway.Names;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Names that a game's makers gave to places, from what their linker wrote.</summary>
public static class SymbolEndpoints
{
    /// <summary>The most that are told at once.</summary>
    internal const int LargestPage = 10_000;

    private const string Path = "/v2/symbols";

    /// <summary>Adds <c>/v2/symbols</c>.</summary>
    public static void MapSymbols(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, http => GameNaming.WithGameAsync(http, ListAsync)).Describe(NameOperations.ListSymbols);
        routes.MapPut(Path, http => GameNaming.WithGameAsync(http, LoadAsync)).Describe(NameOperations.LoadSymbols);
        routes.MapDelete(Path, http => GameNaming.WithGameAsync(http, ForgetAsync)).Describe(NameOperations.ForgetSymbols);
    }

    private static async Task ListAsync(HttpContext http, GameNaming naming)
    {
        if (await Page.ReadAsync(http, LargestPage) is { } page)
        {
            await AnswerAsync(http, naming, naming.Names.Symbols, page);
        }
    }

    private static async Task LoadAsync(HttpContext http, GameNaming naming)
    {
        if (await GameNaming.LoadAsync(http, SymbolFile.Read, _ => naming.Crc32, static (names, symbols) => names with { Symbols = symbols }) is { } symbols)
        {
            await AnswerAsync(http, naming, symbols, Page.First);
        }
    }

    private static async Task ForgetAsync(HttpContext http, GameNaming naming)
    {
        http.Single<NameBook>().Change(naming.Crc32, names => names with { Symbols = null });
        await AnswerAsync(http, naming, null, default);
    }

    private static async Task AnswerAsync(HttpContext http, GameNaming naming, SymbolTable? table, Page page)
    {
        var text = http.Request.Query["contains"].ToString();
        Symbol[] found = [.. (table?.All ?? []).Where(symbol => symbol.Name.Contains(text, StringComparison.OrdinalIgnoreCase))];
        SymbolAnswer[] shown = [.. found.Skip(page.Offset).Take(page.Limit).Select(symbol => new SymbolAnswer(symbol.Name, symbol.Location, symbol.Size > 0 ? symbol.Size : null))];
        Headers.SetFrame(http.Response, naming.Frame, naming.Epoch);
        await JsonBody.WriteAsync(
            http,
            new SymbolsAnswer(naming.Frame, naming.Epoch, GameEndpoints.Hex(naming.Crc32), table?.Format, found.Length, page.Next(shown.Length, found.Length), shown),
            BridgeJson.Default.SymbolsAnswer);
    }
}
