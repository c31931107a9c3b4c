using System.Text;
using MgbaBridge.Engines.Scenarios;

namespace MgbaBridge.Gateway.Tests.Scenarios;

public sealed class ScenarioTests
{
    private const string Data = """{"info":{"a":{"address":49152,"type":"|i1"},"b":{"address":49153,"type":"|i1"}}}""";

    [Theory]
    [InlineData("zero", 0, 0, 1)]
    [InlineData("zero", 0, 5, 0)]
    [InlineData("nonzero", 0, 0, 0)]
    [InlineData("nonzero", 0, -5, 1)]
    [InlineData("positive", 0, 1, 1)]
    [InlineData("positive", 0, 0, 0)]
    [InlineData("positive", 0, -1, 0)]
    [InlineData("negative", 0, -1, 1)]
    [InlineData("negative", 0, 0, 0)]
    [InlineData("sign", 0, 9, 1)]
    [InlineData("sign", 0, -9, -1)]
    [InlineData("sign", 0, 0, 0)]
    [InlineData("equal", 7, 7, 1)]
    [InlineData("equal", 7, 8, 0)]
    [InlineData("negative-equal", 7, -7, 1)]
    [InlineData("negative-equal", 7, 7, 0)]
    [InlineData("not-equal", 7, 8, 1)]
    [InlineData("not-equal", 7, 7, 0)]
    [InlineData("less-than", 7, 6, 1)]
    [InlineData("less-than", 7, 7, 0)]
    [InlineData("greater-than", 7, 8, 1)]
    [InlineData("greater-than", 7, 7, 0)]
    [InlineData("less-or-equal", 7, 7, 1)]
    [InlineData("less-or-equal", 7, 8, 0)]
    [InlineData("greater-or-equal", 7, 7, 1)]
    [InlineData("greater-or-equal", 7, 6, 0)]
    public void Operation_OfAValue_IsItsDefinition(string operation, int reference, sbyte value, int expected)
    {
        var part = $$$"""{"a":{"op":"{{{operation}}}","reference":{{{reference}}},"measurement":"absolute","reward":10,"penalty":100}}""";
        var end = $$$"""{"a":{"op":"{{{operation}}}","reference":{{{reference}}}}}""";
        var judged = Judge($$$$"""{"reward":{"variables":{{{{part}}}}},"done":{"variables":{{{{end}}}}}}""", (3, 0), (value, 0));

        Assert.Equal(expected * (expected < 0 ? 100 : 10), judged.Reward);
        Assert.Equal(expected > 0, judged.Done);
    }

    [Theory]
    [InlineData("""{"reward":2.5}""", 10, 14, 10.0)] // 4 x 2.5
    [InlineData("""{"reward":2.5}""", 14, 10, 0.0)]
    [InlineData("""{"reward":1,"penalty":3}""", 14, 10, -12.0)] // -4 x 3
    [InlineData("""{"penalty":-3}""", 14, 10, 12.0)] // a negative penalty adds
    [InlineData("""{"penalty":-3}""", 10, 14, 0.0)]
    [InlineData("""{"reward":2,"measurement":"absolute"}""", 10, 14, 28.0)]
    [InlineData("""{"penalty":2,"measurement":"absolute"}""", 10, -3, -6.0)]
    [InlineData("""{"reward":5,"op":"positive"}""", 10, 14, 5.0)] // of the change
    [InlineData("""{"reward":5,"op":"equal","reference":-4}""", 14, 10, 5.0)]
    [InlineData("""{"reward":5,"penalty":7,"op":"sign"}""", 14, 10, -7.0)]
    [InlineData("""{"reward":1}""", -128, 127, 255.0)]
    [InlineData("""{"reward":1e308}""", 10, 14, double.MaxValue)]
    [InlineData("""{"penalty":1e308}""", 14, 10, double.MinValue)]
    [InlineData("{}", 10, 14, 0.0)]
    public void Reward_OfAVariable_IsItsNumberTimesTheFactorOfItsSign(string part, sbyte before, sbyte after, double expected) =>
        Assert.Equal(expected, Judge($$$$"""{"reward":{"variables":{"a":{{{{part}}}}}}}""", (before, 0), (after, 0)).Reward);

    [Fact]
    public void Reward_OfSeveralParts_IsTheirSum()
    {
        const string Scenario = """{"reward":{"time":{"reward":0.5,"penalty":0.25},"variables":{"a":{"reward":10},"b":{"penalty":1}}}}""";
        Assert.Equal(0.25 + 30 - 2, Judge(Scenario, (1, 5), (4, 3)).Reward);
        Assert.Equal(0.25, Judge(Scenario, (1, 5), (1, 5)).Reward);
    }

    [Fact]
    public void Rewards_OfSeveralPlayers_AreThoseOfTheFirst() =>
        Assert.Equal(3, Judge("""{"rewards":[{"variables":{"a":{"reward":1}}},{"variables":{"b":{"reward":100}}}]}""", (1, 1), (4, 9)).Reward);

    [Theory]
    [InlineData("""{}""", 0, 0, false)]
    [InlineData("""{"variables":{"a":{"op":"zero"},"b":{"op":"zero"}}}""", 0, 1, true)]
    [InlineData("""{"variables":{"a":{"op":"zero"},"b":{"op":"zero"}}}""", 1, 1, false)]
    [InlineData("""{"condition":"any","variables":{"a":{"op":"zero"},"b":{"op":"zero"}}}""", 1, 0, true)]
    [InlineData("""{"condition":"all","variables":{"a":{"op":"zero"},"b":{"op":"zero"}}}""", 0, 1, false)]
    [InlineData("""{"condition":"all","variables":{"a":{"op":"zero"},"b":{"op":"zero"}}}""", 0, 0, true)]
    [InlineData("""{"variables":{"a":{}}}""", 1, 0, true)] // without an operation: a positive value
    [InlineData("""{"variables":{"a":{}}}""", -1, 0, false)]
    [InlineData("""{"variables":{"a":{"op":"negative","measurement":"delta"}}}""", 4, 0, true)] // 5 before
    [InlineData("""{"variables":{"a":{"op":"negative","measurement":"delta"}}}""", 5, 0, false)]
    [InlineData("""{"nodes":{"n":{"condition":"all","variables":{"a":{"op":"zero"},"b":{"op":"zero"}}}}}""", 0, 0, true)]
    [InlineData("""{"nodes":{"n":{"condition":"all","variables":{"a":{"op":"zero"},"b":{"op":"zero"}}}}}""", 0, 1, false)]
    [InlineData("""{"condition":"all","variables":{"a":{"op":"zero"}},"nodes":{"n":{"variables":{"b":{"op":"equal","reference":2}}}}}""", 0, 2, true)]
    [InlineData("""{"condition":"all","variables":{"a":{"op":"zero"}},"nodes":{"n":{"variables":{"b":{"op":"equal","reference":2}}}}}""", 0, 3, false)]
    [InlineData("""{"nodes":{"n":{"condition":"all","nodes":{"m":{"variables":{"a":{"op":"zero"},"b":{"op":"zero"}}},"o":{"variables":{"b":{"op":"less-than","reference":9}}}}}}}""", 0, 8, true)]
    [InlineData("""{"nodes":{"n":{"condition":"all","nodes":{"m":{"variables":{"a":{"op":"zero"},"b":{"op":"zero"}}},"o":{"variables":{"b":{"op":"less-than","reference":9}}}}}}}""", 0, 9, false)]
    public void End_OfConditionsAndNodes_IsAnyOrAllOfThem(string done, sbyte a, sbyte b, bool expected) =>
        Assert.Equal(expected, Judge($$$"""{"done":{{{done}}}}""", (5, 5), (a, b)).Done);

    [Fact]
    public void Before_OfAScenario_HasOnlyWhatIsComparedInItsOrder()
    {
        var scenario = Read("""{"reward":{"variables":{"b":{"reward":1}}},"done":{"variables":{"a":{"op":"zero"}}}}""");
        Assert.Equal([49153], scenario.Before.Select(range => range.Location.Offset));
        var values = new long[2];
        Assert.Equal(new Judgement(2, true), scenario.Judge([7], [0, 9], values));
        Assert.Equal([0, 9], values);
    }

    [Fact]
    public void Mask_OfAVariable_KeepsItsBitsOfValueAndChange()
    {
        var scenario = ScenarioFile.Read("""{"info":{"a":{"address":0,"type":"|u1","mask":6}}}"""u8.ToArray(), """{"reward":{"variables":{"a":{"reward":1}}}}"""u8.ToArray());
        var values = new long[1];
        Assert.Equal(4, scenario.Judge([0xF9], [0xFD], values).Reward);
        Assert.Equal([4], values);
    }

    [Theory]
    [InlineData("equal", false)]
    [InlineData("greater-than", true)]
    public void Comparison_OfNumbersBeyond53Bits_IsExact(string operation, bool expected)
    {
        var done = $$$$$"""{"done":{"variables":{"a":{"op":"{{{{{operation}}}}}","reference":9007199254740992}}}}""";
        var scenario = ScenarioFile.Read("""{"info":{"a":{"address":0,"type":"<u8"}}}"""u8.ToArray(), Encoding.UTF8.GetBytes(done));
        Assert.Equal(expected, scenario.Judge([], BitConverter.GetBytes(9007199254740993), new long[1]).Done);
    }

    private static Scenario Read(string scenario) => ScenarioFile.Read(Encoding.UTF8.GetBytes(Data), Encoding.UTF8.GetBytes(scenario));

    private static Judgement Judge(string text, (sbyte A, sbyte B) before, (sbyte A, sbyte B) after)
    {
        var scenario = Read(text);
        byte[] memory = [.. scenario.Before.Select(range => (byte)(range.Location.Offset == 49152 ? before.A : before.B))];
        return scenario.Judge(memory, [(byte)after.A, (byte)after.B], new long[2]);
    }
}
