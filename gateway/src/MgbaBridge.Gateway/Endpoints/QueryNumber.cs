using System.Globalization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Whole numbers in a query.</summary>
internal static class QueryNumber
{
    /// <summary>Reads one of 0 to <paramref name="most"/>, or takes the usual one where it is left away. False if it cannot be.</summary>
    public static bool TryRead(HttpContext http, string name, int usual, int most, out int number)
    {
        number = usual;
        return !http.Request.Query.TryGetValue(name, out var text)
            || (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number <= most);
    }
}
