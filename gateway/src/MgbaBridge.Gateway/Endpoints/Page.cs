using MgbaBridge.Gateway.Endpoints.OpenApi;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Which part of a list is asked for: <c>?offset=200&amp;limit=100</c>.</summary>
/// <param name="Offset">How many to leave out.</param>
/// <param name="Limit">The most to answer.</param>
internal readonly record struct Page(int Offset, int Limit)
{
    private const int Usual = 100;

    /// <summary>The first one, as long as usual.</summary>
    public static Page First { get; } = new(0, Usual);

    /// <summary>Reads it, or answers what is wrong.</summary>
    public static async ValueTask<Page?> ReadAsync(HttpContext http, int largest)
    {
        if (QueryNumber.TryRead(http, "offset", 0, int.MaxValue, out var offset) && QueryNumber.TryRead(http, "limit", Usual, largest, out var limit))
        {
            return new Page(offset, limit);
        }

        await Problems.BadRequestAsync(http, $"offset is 0 or more, limit 0 to {largest}.");
        return null;
    }

    /// <summary>What the API's document says about it.</summary>
    public static Input[] Inputs(int largest) =>
    [
        new Input("offset", "How many to leave out, 0 unless given.", "0") { IsInteger = true },
        new Input("limit", $"The most to answer, 0 to {largest}; {Usual} unless given.", "100") { IsInteger = true },
    ];

    /// <summary>The offset of the next one, or null behind the last.</summary>
    public int? Next(int shown, long all) => (long)Offset + shown < all ? Offset + shown : null;
}
