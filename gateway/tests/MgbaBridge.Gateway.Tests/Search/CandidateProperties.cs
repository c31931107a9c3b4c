using FsCheck;
using FsCheck.Fluent;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Search;

namespace MgbaBridge.Gateway.Tests.Search;

/// <summary>What vectors strike is what a plain loop strikes, for every type, order of bytes, alignment and test.</summary>
public sealed class CandidateProperties
{
    private static readonly Config Many = Config.QuickThrowOnFailure.WithMaxTest(3_000);

    [Fact]
    public void Keep_OfAnyTest_KeepsWhatOneByOneComparingKeeps() => Prop.ForAll(Cases(), one =>
    {
        var candidates = new Candidates(one.ValueType, one.Now.Length);
        var expected = PlainSearch.Offsets(one.ValueType, one.Now.Length).ToList();
        foreach (var test in one.Tests)
        {
            candidates.Keep(VectorTest.Of(test, one.ValueType), one.Now, one.Earlier);
            expected.RemoveAll(offset => !PlainSearch.Passes(one.ValueType, test, one.Now.AsSpan(offset), one.Earlier.AsSpan(offset)));
        }

        return expected.SequenceEqual(candidates.Offsets(0)) && expected.Count == candidates.Count;
    }).Check(Many);

    [Fact]
    public void Offsets_WithoutTheFirst_AreTheRest() => Prop.ForAll(Cases(), Gen.Choose(0, 700).ToArbitrary(), (one, skip) =>
    {
        var candidates = new Candidates(one.ValueType, one.Now.Length);
        candidates.Keep(VectorTest.Of(one.Tests[0], one.ValueType), one.Now, one.Earlier);
        return candidates.Offsets(0).Skip(skip).SequenceEqual(candidates.Offsets(skip));
    }).Check(Many);

    // bytes are near each other, so that every test has some that pass and some that do not
    private static Arbitrary<Case> Cases() => (
        from form in Gen.Elements(ValueTypes().ToArray())
        from length in Gen.Choose(0, 600)
        from earlier in Gen.Elements<byte>(0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF).ArrayOf(length)
        from changes in Gen.Elements(0, 0, 0, 1, -1, 3).ArrayOf(length)
        from tests in Tests(form).ArrayOf(2)
        select new Case(form, [.. earlier.Zip(changes, (was, change) => (byte)(was + change))], earlier, tests)).ToArbitrary();

    private static IEnumerable<SearchValueType> ValueTypes() =>
        from type in Enum.GetValues<NumberType>()
        from endian in Enum.GetValues<Endian>()
        from alignment in new[] { 1, 2, 4 }
        select new SearchValueType(type, endian, alignment);

    private static Gen<SearchTest> Tests(SearchValueType form) => (
        from comparison in Gen.Elements(Enum.GetValues<SearchComparison>())
        from against in Gen.Elements(Enum.GetValues<SearchAgainst>())
        from value in Values(form)
        from to in Values(form)
        from without in Gen.Elements(true, false)
        let isBetween = comparison == SearchComparison.Between
        select new SearchTest(comparison, against, without && against != SearchAgainst.Value && !isBetween ? null : value, isBetween ? to : null))
        .Where(test => test.Wrong(form) is null);

    private static Gen<long> Values(SearchValueType form) => Gen.OneOf(
        Gen.Choose(-260, 260).Select(value => (long)value),
        Gen.Elements(form.Least, form.Greatest, form.Mask, -form.Mask, 0x0101, 0x7F7F, 0xFF00, 0x01000001, 0x80FF));

    private sealed record Case(SearchValueType ValueType, byte[] Now, byte[] Earlier, SearchTest[] Tests);
}
