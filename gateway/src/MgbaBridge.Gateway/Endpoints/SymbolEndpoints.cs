using MgbaBridge.Gateway.Endpoints.OpenApi;
using MgbaBridge.Gateway.Names;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Names that a game's makers gave to places, from what their linker wrote.</summary>
public static class SymbolEndpoints
{
    private const string Path = "/v2/symbols";
    private const int UsualPage = 100;
    private const int LargestPage = 10_000;

    /// <summary>Adds <c>/v2/symbols</c>.</summary>
    public static void MapSymbols(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, http => GameNaming.WithGameAsync(http, ListAsync)).Describe(NameOperations.ListSymbols);
        routes.MapPut(Path, http => GameNaming.WithGameAsync(http, LoadAsync)).Describe(NameOperations.LoadSymbols);
        routes.MapDelete(Path, http => GameNaming.WithGameAsync(http, ForgetAsync)).Describe(NameOperations.ForgetSymbols);
    }

    private static async Task ListAsync(HttpContext http, GameNaming naming)
    {
        if (!QueryNumber.TryRead(http, "offset", 0, int.MaxValue, out var offset) || !QueryNumber.TryRead(http, "limit", UsualPage, LargestPage, out var limit))
        {
            await Problems.BadRequestAsync(http, $"offset is 0 or more, limit 0 to {LargestPage}.");
            return;
        }

        await AnswerAsync(http, naming, naming.Names.Symbols, offset, limit);
    }

    private static async Task LoadAsync(HttpContext http, GameNaming naming)
    {
        if (await GameNaming.LoadAsync(http, SymbolFile.Read, _ => naming.Crc32, static (names, symbols) => names with { Symbols = symbols }) is { } symbols)
        {
            await AnswerAsync(http, naming, symbols, 0, UsualPage);
        }
    }

    private static async Task ForgetAsync(HttpContext http, GameNaming naming)
    {
        http.Single<NameBook>().TryChange(naming.Crc32, names => names with { Symbols = null });
        await AnswerAsync(http, naming, null, 0, 0);
    }

    private static async Task AnswerAsync(HttpContext http, GameNaming naming, SymbolTable? table, int offset, int limit)
    {
        var text = http.Request.Query["contains"].ToString();
        Symbol[] found = [.. (table?.All ?? []).Where(symbol => symbol.Name.Contains(text, StringComparison.OrdinalIgnoreCase))];
        SymbolAnswer[] page = [.. found.Skip(offset).Take(limit).Select(symbol => new SymbolAnswer(symbol.Name, symbol.Location, symbol.Size > 0 ? symbol.Size : null))];
        int? next = (long)offset + page.Length < found.Length ? offset + page.Length : null;
        Headers.SetFrame(http.Response, naming.Frame, naming.Epoch);
        await JsonBody.WriteAsync(
            http,
            new SymbolsAnswer(naming.Frame, naming.Epoch, GameEndpoints.Hex(naming.Crc32), table?.Format, found.Length, next, page),
            BridgeJson.Default.SymbolsAnswer);
    }
}
