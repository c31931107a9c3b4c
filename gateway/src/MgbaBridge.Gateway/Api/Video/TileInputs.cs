using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Video;

namespace MgbaBridge.Gateway.Api.Video;

/// <summary>Which tiles a caller means.</summary>
internal static class TileInputs
{
    /// <summary>The bits of a pixel.</summary>
    public static Input Bits { get; } = new("bits", "Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given.", "4") { IsInteger = true };

    /// <summary>The first tile.</summary>
    public static Input First { get; } = new("first", "The number of the first tile; 0 unless given.", "2048") { IsInteger = true };

    /// <summary>How many.</summary>
    public static Input Count { get; } = new("count", "How many tiles; all that follow unless given.", "256") { IsInteger = true };

    /// <summary>Reads them from the query. Returns what is wrong, or null.</summary>
    public static string? Read(HttpContext http, out TilesRequest request)
    {
        request = default;
        if (!QueryNumber.TryRead(http, "bits", out int? bits) || !QueryNumber.TryRead(http, "first", out int? first) || !QueryNumber.TryRead(http, "count", out int? count))
        {
            return "bits, first and count are integers from 0 on.";
        }

        request = new TilesRequest { Bits = bits, First = first, Count = count };
        return null;
    }

    /// <summary>The tiles that are meant. Returns what is wrong, or null.</summary>
    public static string? Range(VideoFrame video, TilesRequest request, out int bits, out int first, out int count)
    {
        (bits, first, count) = (request.Bits ?? video.TileBits[0], request.First ?? 0, 0);
        if (!video.TileBits.Contains(bits))
        {
            return $"bits is {bits}; tiles of this console have {string.Join(" or ", video.TileBits)} bits a pixel.";
        }

        var all = video.TileCount(bits);
        count = request.Count ?? all - first;
        return first < 0 || count < 1 || first > all - count
            ? $"first is {first} and count {count}; there are {all} tiles of {bits} bits, numbered from 0, and count is at least 1."
            : null;
    }
}
