using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>The property map of a game: what its values are called, where they are and what they are.</summary>
internal static class PropertyEndpoints
{
    /// <summary>Lists the properties of the game.</summary>
    public static Task ListAsync(HttpContext http, GameSymbolRequests naming) => AnswerAsync(http, naming, naming.Crc32, naming.Names.Properties);

    /// <summary>Loads a property map.</summary>
    public static async Task LoadAsync(HttpContext http, GameSymbolRequests naming)
    {
        if (await GameSymbolRequests.LoadAsync(http, PropertyMapFile.Read, map => map.Crc32 ?? naming.Crc32, static (names, map) => names with { Properties = map }) is { } map)
        {
            await AnswerAsync(http, naming, map.Crc32 ?? naming.Crc32, map);
        }
    }

    /// <summary>Removes the property map of the game.</summary>
    public static async Task ForgetAsync(HttpContext http, GameSymbolRequests naming)
    {
        http.Single<SymbolStore>().Change(naming.Crc32, names => names with { Properties = null });
        await AnswerAsync(http, naming, naming.Crc32, null);
    }

    private static async Task AnswerAsync(HttpContext http, GameSymbolRequests naming, uint crc32, PropertyMap? map)
    {
        PropertyAnswer[] properties = [.. (map?.Properties ?? []).Select(property =>
            new PropertyAnswer(property.Name, property.At.ToString(), property.Form.Kind, property.Chain.Count > 0 ? property.Chain : null))];
        Headers.SetFrame(http.Response, naming.Frame, naming.Epoch);
        await JsonBody.WriteAsync(http, new PropertiesAnswer(naming.Frame, naming.Epoch, Hex.Of(crc32), properties), SymbolJson.Default.PropertiesAnswer);
    }
}
