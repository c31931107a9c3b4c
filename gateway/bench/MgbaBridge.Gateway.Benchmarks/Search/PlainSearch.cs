using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Search;

namespace MgbaBridge.Gateway.Benchmarks.Search;

/// <summary>The same pass as a scalar loop, which is the baseline.</summary>
internal static class PlainSearch
{
    public static int Count(in SearchValueType form, in SearchTest test, ReadOnlySpan<byte> now, ReadOnlySpan<byte> earlier)
    {
        var count = 0;
        for (var offset = 0; offset + form.Type.Bytes() <= now.Length; offset += form.Alignment)
        {
            var number = form.Type.Read(now[offset..], form.Endian);
            var before = test.Against == SearchAgainst.Value ? 0 : form.Type.Read(earlier[offset..], form.Endian);
            count += Passes(test, number, before) ? 1 : 0;
        }

        return count;
    }

    private static bool Passes(in SearchTest test, long number, long before) => test.Is switch
    {
        SearchComparison.Eq => number == test.Value,
        SearchComparison.Between => number >= test.Value && number <= test.To,
        SearchComparison.Unchanged => number == before,
        SearchComparison.Increased when test.Value is { } by => number - before == by,
        _ => number > before,
    };
}
