using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Tests.Symbols;

/// <summary>What c++filt makes of the names that GCC writes.</summary>
public sealed class CppNameTests
{
    [Theory]
    [InlineData("main", "main")]
    [InlineData("_Z6localfi", "localf(int)")]
    [InlineData("_ZN12_GLOBAL__N_12hpE", "(anonymous namespace)::hp")]
    [InlineData("_ZN2bn4core6updateEiNS_7fixed_tILi12EEE", "bn::core::update(int, bn::fixed_t<12>)")]
    [InlineData("_ZNK2bn11string_vieweqERKS0_", "bn::string_view::operator==(bn::string_view const&) const")]
    [InlineData("_ZN1a1b1cC1EiRKS1_PS2_", "a::b::c::c(int, a::b::c const&, a::b::c const*)")]
    [InlineData("_ZNSt6vectorIiED2Ev", "std::vector<int>::~vector()")]
    [InlineData("_ZNKSt6vectorIiEcviEv", "std::vector<int>::operator int() const")]
    [InlineData("_ZNSt6vectorIiE3getIcEET_PS2_i", "char std::vector<int>::get<char>(char*, int)")]
    [InlineData("_Z4packIJicPN2bn4core1KEEEvDpT_", "void pack<int, char, bn::core::K*>(int, char, bn::core::K*)")]
    [InlineData("_Z2fpPFvicEPA5_iMN2bn4core1KEFiiEMS5_iyDsOb", "fp(void (*)(int, char), int (*) [5], int (bn::core::K::*)(int), int bn::core::K::*, unsigned long long, char16_t, bool&&)")]
    [InlineData("_ZZ6localfiE7counter", "localf(int)::counter")]
    [InlineData("_ZGVZ6localfiE7counter", "guard variable for localf(int)::counter")]
    [InlineData("_ZTV1X", "vtable for X")]
    [InlineData("_ZThn4_N1X1bEv", "non-virtual thunk to X::b()")]
    [InlineData("_ZN3LitIL2E11ELb1ELj4ELln5ELc97EE1fEv", "Lit<(E1)1, true, 4u, -5l, (char)97>::f()")]
    [InlineData("_ZN2bn4core4initEv.isra.0", "bn::core::init() [clone .isra.0]")]
    [InlineData("_Z3ptrIXadL_Z4globEEEvv", "_Z3ptrIXadL_Z4globEEEvv")]
    [InlineData("_ZN", "_ZN")]
    [InlineData("_Z", "_Z")]
    [InlineData("_Z999999999999f", "_Z999999999999f")]
    public void Demangle_OfAName_IsAsInTheSource(string name, string expected) => Assert.Equal(expected, CppName.Demangle(name));

    [Fact]
    public void Demangle_OfAnyText_EndsWithinItsLimits()
    {
        const string Letters = "NSt_0123456789EICDTPRKOFvijbJLXZaUlMAB";
        var texts = Gen.Elements(Letters.ToCharArray()).ArrayOf().Select(letters => "_Z" + new string(letters)).ToArbitrary();
        Prop.ForAll(texts, static text => CppName.Demangle(text).Length <= 1_024 || text.Length > 1_024).Check(Config.QuickThrowOnFailure.WithMaxTest(20_000));
        foreach (var repeated in new[] { "P", "N", "1aI", "F", "S_", "Dp", "PS_", "1aIS_S_E", "JS_" })
        {
            var name = "_Z1fI1bE" + new StringBuilder().Insert(0, repeated, 1_000 / repeated.Length);
            Assert.True(CppName.Demangle(name).Length <= 1_100);
        }
    }
}
