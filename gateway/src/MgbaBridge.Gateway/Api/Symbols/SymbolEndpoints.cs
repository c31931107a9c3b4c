using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>Names that a game's makers gave to places, from what their linker wrote.</summary>
internal static class SymbolEndpoints
{
    /// <summary>The maximum number in one response.</summary>
    internal const int MaxPage = 10_000;

    /// <summary>Lists the symbols of the game.</summary>
    public static async Task ListAsync(HttpContext http, GameSymbolRequests naming)
    {
        await (Page.Read(http, MaxPage, out var page) is { } wrong
            ? Problems.BadRequestAsync(http, wrong).AsTask()
            : AnswerAsync(http, naming, naming.Names.Symbols, page));
    }

    /// <summary>Loads symbols.</summary>
    public static async Task LoadAsync(HttpContext http, GameSymbolRequests naming)
    {
        if (await GameSymbolRequests.LoadAsync(http, SymbolFile.Read, _ => naming.Crc32, static (names, symbols) => names with { Symbols = symbols }) is { } symbols)
        {
            await AnswerAsync(http, naming, symbols, Page.First);
        }
    }

    /// <summary>Removes the symbols of the game.</summary>
    public static async Task ForgetAsync(HttpContext http, GameSymbolRequests naming)
    {
        http.Single<SymbolStore>().Change(naming.Crc32, names => names with { Symbols = null });
        await AnswerAsync(http, naming, null, default);
    }

    private static async Task AnswerAsync(HttpContext http, GameSymbolRequests naming, SymbolTable? table, Page page)
    {
        var text = http.Request.Query["contains"].ToString();
        Symbol[] found = [.. (table?.All ?? []).Where(symbol => symbol.Name.Contains(text, StringComparison.OrdinalIgnoreCase))];
        SymbolAnswer[] shown = [.. found.Skip(page.Offset).Take(page.Limit).Select(symbol => new SymbolAnswer(symbol.Name, symbol.Location, symbol.Size > 0 ? symbol.Size : null))];
        Headers.SetFrame(http.Response, naming.Frame, naming.Epoch);
        await JsonBody.WriteAsync(
            http,
            new SymbolsAnswer(naming.Frame, naming.Epoch, Hex.Of(naming.Crc32), table?.Format, found.Length, page.Next(shown.Length, found.Length), shown),
            SymbolJson.Default.SymbolsAnswer);
    }
}
