using System.Diagnostics;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Search;

namespace MgbaBridge.Gateway.Benchmarks.Search;

/// <summary>`search`: the time of a RAM search pass over 256 KiB, compared with a scalar loop.</summary>
internal static class SearchCommand
{
    private const int Bytes = 262_144;
    private const int Rounds = 300;

    private static readonly SearchTest[] Tests =
    [
        new(SearchComparison.Eq, SearchAgainst.Value, 100, null),
        new(SearchComparison.Between, SearchAgainst.Value, 10, 100),
        new(SearchComparison.Unchanged, SearchAgainst.Last, null, null),
        new(SearchComparison.Increased, SearchAgainst.Last, 3, null),
        new(SearchComparison.Increased, SearchAgainst.Last, null, null),
    ];

    public static int Run()
    {
        Console.WriteLine("| number | alignment | test | scalar ms | vector ms | ratio |");
        Console.WriteLine("|---|--:|---|--:|--:|--:|");
        foreach (var form in ValueTypes())
        {
            foreach (var test in Tests)
            {
                Console.WriteLine(Row(form, test));
            }
        }

        return 0;
    }

    private static SearchValueType[] ValueTypes() =>
    [
        new(NumberType.U8, Endian.Little, 1),
        new(NumberType.U16, Endian.Little, 2),
        new(NumberType.S16, Endian.Big, 2),
        new(NumberType.U32, Endian.Little, 4),
        new(NumberType.U32, Endian.Little, 1),
    ];

    private static string Row(in SearchValueType form, in SearchTest test)
    {
        var random = new Random(1);
        var (now, earlier) = (new byte[Bytes], new byte[Bytes]);
        random.NextBytes(now);
        random.NextBytes(earlier);
        var (plainForm, plainTest) = (form, test);
        var plain = Median(form, _ => PlainSearch.Count(plainForm, plainTest, now, earlier));
        var lanes = VectorTest.Of(test, form);
        var vectors = Median(form, candidates => candidates.Keep(lanes, now, earlier));
        var order = form.Endian == Endian.Big ? " big-endian" : "";
        return FormattableString.Invariant(
            $"| {form.Type}{order} | {form.Alignment} | {test.Is} {test.Against} | {plain.TotalMilliseconds:0.000} | {vectors.TotalMilliseconds:0.000} | {plain / vectors:0.0} |");
    }

    // Median; each round starts with all candidates, unlike later passes of a real search.
    private static TimeSpan Median(SearchValueType form, Action<Candidates> pass)
    {
        var times = new long[Rounds];
        for (var round = 0; round < Rounds; round++)
        {
            var candidates = new Candidates(form, Bytes);
            var began = Stopwatch.GetTimestamp();
            pass(candidates);
            times[round] = Stopwatch.GetTimestamp() - began;
        }

        Array.Sort(times);
        return Stopwatch.GetElapsedTime(0, times[Rounds / 2]);
    }
}
