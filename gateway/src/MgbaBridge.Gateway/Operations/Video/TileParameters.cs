using MgbaBridge.Engines.Video;

namespace MgbaBridge.Gateway.Operations.Video;

/// <summary>Which tiles a caller means.</summary>
internal static class TileParameters
{
    /// <summary>The bits of a pixel.</summary>
    public static Parameter<int?> Bits { get; } = Parameter.Integer("bits", 2, 8, "Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given.").Optional() with { Example = "4" };

    /// <summary>The first tile.</summary>
    public static Parameter<int> First { get; } = Parameter.Integer("first", 0, int.MaxValue, "The number of the first tile.").Or(0) with { Example = "2048" };

    /// <summary>How many.</summary>
    public static Parameter<int?> Count { get; } = Parameter.Integer("count", 1, int.MaxValue, "How many tiles; all that follow unless given.").Optional() with { Example = "256" };

    /// <summary>The tiles that are meant. Returns what is wrong, or null.</summary>
    public static string? Range(VideoFrame video, TilesRequest request, out int bits, out int first, out int count)
    {
        (bits, first, count) = (request.Bits ?? video.TileBits[0], request.First, 0);
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
