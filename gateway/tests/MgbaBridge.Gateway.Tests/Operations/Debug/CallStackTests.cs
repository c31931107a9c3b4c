using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Debug;

namespace MgbaBridge.Gateway.Tests.Operations.Debug;

/// <summary>Functions of 0x100 bytes from 0x1000 on: f10, f11 and so on.</summary>
public sealed class CallStackTests
{
    private static readonly CallStackEntry Pc = new("pc", 0, 0x1010, null, null, null, null);

    [Fact]
    public void Calls_OfTheFunctionBefore_AreMatched_AndWhatIsLeftOverIsNot() => Assert.Equal(
        ["1010 Exact", "1125 Matched", "1235 Matched"],
        Of(Pc, Stack(0x1245, 0x1300), Stack(0x1125, 0x1000), Stack(0x1345, 0x1500), Stack(0x1235, 0x1100)));

    [Fact]
    public void LinkRegister_ThatIsSaved_IsOneFunction() => Assert.Equal(["1010 Exact", "1125 Matched"], Of(Pc, Link(0x1125, 0x1000), Stack(0x1125, 0x1000)));

    [Fact]
    public void LinkRegister_OfAFunctionThatHasCalledOthers_LeadsNowhere() => Assert.Equal(["1010 Exact", "1125 Guess"], Of(Pc, Link(0x1009, 0x1400), Stack(0x1125, null)));

    [Fact]
    public void CallsByAnAddress_AreGuesses() => Assert.Equal(["1010 Exact", "1125 Guess", "1235 Matched"], Of(Pc, Stack(0x1125, null), Stack(0x1235, 0x1100)));

    [Fact]
    public void WithoutSymbols_AllAreGuesses() => Assert.Equal(
        ["1010 Exact", "1125 Guess", "1245 Guess"], [.. CallStack.Of([Pc, Stack(0x1125, 0x1000), Stack(0x1245, 0x1100)], static (_, _) => null).Select(TextOf)]);

    [Fact]
    public void WhatAnInterruptHasInterrupted_IsAFunction() => Assert.Equal(
        ["1010 Exact", "1125 Matched", "1330 Guess", "1425 Matched"],
        Of(Pc, Stack(0x1125, 0x1000), new CallStackEntry("interrupt", 0, 0x1330, null, null, null, 0x50), Stack(0x1545, 0x1600), Stack(0x1425, 0x1300)));

    private static string[] Of(params IReadOnlyList<CallStackEntry> entries) => [.. CallStack.Of(entries, NameOf).Select(TextOf)];

    private static CallStackEntry Stack(long address, long? target) => new("stack", 0, address, address - 5, 0, target, 0x40);

    private static CallStackEntry Link(long address, long? target) => new("link", 0, address, address - 5, 0, target, null);

    private static string NameOf(long address, long? bank) => FormattableString.Invariant($"f{address >> 8:X}") + ((address & 0xFF) == 0 ? "" : FormattableString.Invariant($"+0x{address & 0xFF:X}"));

    private static string TextOf(CallStackFrame frame) => FormattableString.Invariant($"{frame.Entry.Address:X} {frame.Certainty}");
}
