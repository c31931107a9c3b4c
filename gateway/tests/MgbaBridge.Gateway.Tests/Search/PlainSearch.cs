using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Search;

namespace MgbaBridge.Gateway.Tests.Search;

/// <summary>The rules of a search, one number after the other, written from docs alone.</summary>
internal static class PlainSearch
{
    public static IEnumerable<int> Offsets(SearchValueType form, int length)
    {
        for (var offset = 0; offset + form.Type.Bytes() <= length; offset += form.Alignment)
        {
            yield return offset;
        }
    }

    public static bool Passes(SearchValueType form, SearchTest test, ReadOnlySpan<byte> now, ReadOnlySpan<byte> earlier)
    {
        var (number, before) = (Read(form, now), Read(form, earlier));
        if (test.Against == SearchAgainst.Value && test.Is < SearchComparison.Changed)
        {
            return Compares(test.Is, number, test.Value!.Value, test.To);
        }

        // differences wrap around as the number does
        bool Differs(long by) => ((number - before - by) & form.Mask) == 0;
        return test switch
        {
            { Is: SearchComparison.Between, Value: { } from, To: { } to } => from <= to && (to - from >= form.Mask || ((number - before - from) & form.Mask) <= to - from),
            { Is: SearchComparison.Eq or SearchComparison.Increased, Value: { } by } => Differs(by),
            { Is: SearchComparison.Ne, Value: { } by } => !Differs(by),
            { Is: SearchComparison.Decreased, Value: { } by } => Differs(-by),
            { Is: SearchComparison.Changed, Value: { } by } => Differs(by) || Differs(-by),
            _ => Compares(test.Is, number, before, null),
        };
    }

    private static bool Compares(SearchComparison how, long number, long other, long? to) => how switch
    {
        SearchComparison.Eq or SearchComparison.Unchanged => number == other,
        SearchComparison.Ne or SearchComparison.Changed => number != other,
        SearchComparison.Lt or SearchComparison.Decreased => number < other,
        SearchComparison.Le => number <= other,
        SearchComparison.Gt or SearchComparison.Increased => number > other,
        SearchComparison.Ge => number >= other,
        _ => number >= other && number <= to,
    };

    private static long Read(SearchValueType form, ReadOnlySpan<byte> bytes)
    {
        var number = 0L;
        for (var at = 0; at < form.Type.Bytes(); at++)
        {
            var place = form.Endian == Endian.Little ? at : form.Type.Bytes() - 1 - at;
            number |= (long)bytes[at] << (8 * place);
        }

        return form.Type is NumberType.S8 or NumberType.S16 or NumberType.S32 && number > form.Mask / 2 ? number - form.Mask - 1 : number;
    }
}
