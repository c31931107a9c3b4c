using System.Globalization;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Which tests are run.</summary>
/// <param name="Only">Those with this in their name, of a ROM that tests itself in its path; null for all.</param>
/// <param name="Part">Of these which part, from 1.</param>
/// <param name="Parts">Of how many parts.</param>
internal sealed record TestSelection(string? Only, int Part, int Parts)
{
    /// <summary>The most parts.</summary>
    public const int MaxParts = 10_000;

    /// <summary>Reads <c>2/4</c>.</summary>
    public static bool TryParseShard(string text, out (int Part, int Parts) shard)
    {
        shard = text.Split('/') is [var first, var second] && int.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out var part)
            && int.TryParse(second, NumberStyles.None, CultureInfo.InvariantCulture, out var parts) ? (part, parts) : default;
        return shard.Parts is >= 1 and <= MaxParts && shard.Part >= 1 && shard.Part <= shard.Parts;
    }

    /// <summary>The sources with these tests only. Parts differ in size by at most one test; a ROM that tests itself counts as one.</summary>
    public IReadOnlyList<TestSource> Of(IReadOnlyList<TestSource> sources)
    {
        IReadOnlyList<TestSource> named = [.. sources.Select(WithNamed).OfType<TestSource>()];
        var total = named.Sum(Count);
        var (first, end) = (total * (Part - 1L) / Parts, total * (long)Part / Parts);
        var part = new List<TestSource>();
        var at = 0L;
        foreach (var source in named)
        {
            var count = Count(source);
            if (at < end && at + count > first)
            {
                part.Add(source is TestFile file ? file with { Tests = [.. file.Tests.Where((_, index) => at + index >= first && at + index < end)] } : source);
            }

            at += count;
        }

        return part;
    }

    /// <summary>How many tests are known to be in a source.</summary>
    public static int Count(TestSource source) => source is TestFile file ? file.Tests.Count : 1;

    private TestSource? WithNamed(TestSource source) => source switch
    {
        TestFile file => file.Tests.Where(test => IsNamed(test.Id.Name)).ToList() is { Count: > 0 } tests ? file with { Tests = tests } : null,
        _ => IsNamed(source.Path) ? source : null,
    };

    private bool IsNamed(string name) => Only is null || name.Contains(Only, StringComparison.OrdinalIgnoreCase);
}
