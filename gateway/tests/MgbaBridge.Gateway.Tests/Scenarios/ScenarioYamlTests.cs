using System.Globalization;
using System.Text;
using MgbaBridge.Engines.Scenarios;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Tests.Scenarios;

public sealed class ScenarioYamlTests
{
    private const string Places = "variables: {a: s8 0xC000, b: 0xC001 s8}\n";

    private static readonly GameSymbols Names = new(null, PropertyMapFile.Read(Encoding.UTF8.GetBytes("""
        {"properties":{"hp":{"type":"u16","endian":"big","at":"0x0200C010"},"name":{"type":"text","length":4,"at":"0x0200C020"},"boss":{"type":"u8","at":"0x0200C030","chain":[4]}}}
        """)));

    [Fact]
    public void Yaml_OfAScenario_IsVariablesActionsAndCrop()
    {
        var scenario = ScenarioYaml.Read("# mine\nvariables:\n  hp: hp\n  counter: wram:0x10 u32\nactions: [['', Up, a+b], [Start]]\ncrop: [8, 16, 0, 128]\n", Names);

        Assert.Equal(["hp:0x0200C010:>u2", "counter:wram:0x10:<u4"], scenario.Variables.Select(one => $"{one.Name}:{one.Location}:{one.Type}"));
        Assert.Equal([["", "Up", "A+B"], ["Start"]], scenario.Actions.Select(group => group.Select(keys => keys.ToString()).ToArray()).ToArray());
        Assert.Equal(new PictureCrop(8, 16, 0, 128), scenario.Crop);
        Assert.Equal(default, scenario.Judge([], new byte[6], new long[2]));
    }

    [Theory]
    [InlineData("1 + 2 * 3 - 4 / 2", 5)]
    [InlineData("(1 + 2) * -3", -9)]
    [InlineData("2 - 3 - 4", -5)]
    [InlineData("8 / 2 / 2", 2)]
    [InlineData("a / 0", 0)]
    [InlineData("0x10 + .5 + 1e-1 + 2E+1", 36.6)]
    [InlineData("a", 7)]
    [InlineData("change(a)", 4)]
    [InlineData("before(a)", 3)]
    [InlineData("change(b) + before(b) - b", 0)]
    [InlineData("abs(b) + sign(b)", 1)]
    [InlineData("min(a, b) + max(a, b) * 10", 68)]
    [InlineData("max(0, change(a)) - 0.01", 3.99)]
    [InlineData("a == 7 and b == -2", 1)]
    [InlineData("a != 7 or b > -3", 1)]
    [InlineData("not a >= 8 and b <= -2", 1)]
    [InlineData("not (a < 8 or b < 0)", 0)]
    [InlineData("1 or 0 and 0", 1)]
    [InlineData("b and 1", 0)] // a condition holds when its number is positive
    [InlineData("not b", 1)]
    [InlineData("(a > 3) * 10 + (a > 9)", 10)]
    [InlineData("- - a", 7)]
    [InlineData("1e308 * 10", double.MaxValue)] // the nearest number that there is, so that none is infinite or NaN
    [InlineData("-1e308 * a", double.MinValue)]
    [InlineData("a / 1e-308 / 1e-308", double.MaxValue)]
    [InlineData("1e308 * 10 - 1e308 * 10", 0)]
    [InlineData("sign(1e308 * 10 - 1e308 * 10)", 0)]
    [InlineData("sign(1e308 * 10 / (1e308 * 10) * b)", -1)]
    [InlineData("(1e308 + 1e308) * 0", 0)]
    [InlineData("0 / 0 + change(a) / 0", 0)]
    [InlineData("1e308 * 10 == 1e308 * 100", 1)]
    [InlineData("min(1e308 * 10 - 1e308 * 10, a)", 0)]
    public void Reward_IsItsExpression(string expression, double expected)
    {
        var judged = Judge($"{Places}reward: \"{expression}\"\ndone: |\n  {expression}\n");
        Assert.Equal(expected, judged.Reward, 1e-9);
        Assert.True(double.IsFinite(judged.Reward));
        Assert.Equal(expected > 0, judged.Done);
    }

    [Theory]
    [InlineData("not a == 3 and -b < abs(change(a))", "a 3 == 0 <= 0 b - ^a abs < and")]
    [InlineData("1 - 2 * min(before(a), .5) - sign(b)", "1 2 a ^a - 0.5 min * - b sign -")]
    public void Steps_OfAnExpression_AreInPostfixOrder(string expression, string expected)
    {
        var scenario = ScenarioYaml.Read($"{Places}reward: {expression}\ndone: {expression}\n", Names);
        Assert.Equal([expected, expected], new[] { scenario.Reward, scenario.Done }.Select(steps => string.Join(' ', steps.Select(
            step => step.Operator ?? step.Value ?? (step.Change is { } change ? $"^{change}" : step.Number!.Value.ToString(CultureInfo.InvariantCulture))))));
    }

    [Theory]
    [InlineData("reward: change(c)", "yaml: Line 2, column 16: reward: There is no variable \"c\". Did you mean a? There are a, b.")]
    [InlineData("done: \"a ==\"", "Line 2, column 12: done: It ends where a number or a variable is expected.")]
    [InlineData("done: a = 3", "Line 2, column 9: done: \"=\" is not expected here. An operator is, such as or, and, ==, ")]
    [InlineData("done: 0 < a < 3", "Line 2, column 13: done: A comparison has two sides.")]
    [InlineData("done: (a", "It ends where \")\" is expected.")]
    [InlineData("done: min(a)", "\")\" is not expected here, but \",\".")]
    [InlineData("done: change(3)", "\"3\" is not expected here, but a number or a variable.")]
    [InlineData("done: 3x", "\"3x\" is no number.")]
    [InlineData("reward: 1e999", "The number is too large.")]
    [InlineData("reward: sign(nan)", "reward: There is no variable \"nan\".")]
    [InlineData("reward: -inf", "reward: There is no variable \"inf\".")]
    [InlineData("done: a §", "\"§\" is not expected here.")]
    [InlineData("done: [a]", "yaml: Line 2, column 7: done is a text.")]
    [InlineData("dome: a", "yaml: Line 2, column 1: There is no field \"dome\" here. Did you mean done?")]
    [InlineData("done: a\ndone: b", "Line 3, column 1: ")]
    [InlineData("actions: [[A], Up]", "yaml: Line 2, column 16: A group is a list of keys")]
    [InlineData("actions: [[A, Jump]]", "yaml: Line 2, column 15: \"Jump\" are no keys. ")]
    [InlineData("crop: [1, 2, 3]", "yaml: Line 2, column 7: A crop is [x, y, width, height]")]
    [InlineData("crop: [1, 2, 3, -1]", "A crop is")]
    [InlineData("--- {}", "yaml: Line 1, column 1: One YAML document is expected.")]
    [InlineData("reward: {", "yaml: Line ")]
    public void Yaml_ThatIsWrong_IsRefusedWithPlaceAndReason(string rest, string expected) => Refused(Places + rest, expected);

    [Theory]
    [InlineData("done: 1", "yaml: Line 1, column 1: variables is missing")]
    [InlineData("variables: [a]", "Line 1, column 12: variables is a mapping")]
    [InlineData("variables: {a: u32}", "Line 1, column 16: ")]
    [InlineData("variables: {a: u33 0x10}", "This game has no property and no symbol u33. Places are names")]
    [InlineData("variables: {a: hq}", "This game has no property and no symbol hq.")]
    [InlineData("variables: {a: name}", "name is no number but text.")]
    [InlineData("variables: {a: boss}", "boss is behind a pointer, and may be elsewhere in each frame.")]
    [InlineData("variables: {a: 0x10 u8 4}", "is no number but")]
    [InlineData("variables: {and: u8 0x10}", "\"and\" cannot be the name of a variable")]
    [InlineData("variables: {2a: u8 0x10}", "\"2a\" cannot be the name of a variable")]
    [InlineData("variables: {[a]: u8 0x10}", "\"\" cannot be the name of a variable")]
    [InlineData("", "yaml: Line 1, column 1: ")]
    [InlineData("3", "Fields are expected here: variables, reward, done, actions, crop.")]
    public void Variables_ThatAreWrong_AreRefusedWithPlaceAndReason(string yaml, string expected) => Refused(yaml, expected);

    [Fact]
    public void Yaml_BeyondTheLimits_IsRefused()
    {
        Refused($"variables: {{{string.Join(", ", Enumerable.Range(0, 257).Select(index => string.Create(CultureInfo.InvariantCulture, $"v{index}: u8 0x10")))}}}", "There are 257 variables; the limit is 256.");
        Refused($"{Places}reward: {new string('(', 65)}1{new string(')', 65)}", "Expressions are in up to 64 others.");
        Refused($"{Places}reward: {string.Concat(Enumerable.Repeat("not ", 65))}1", "Expressions are in up to 64 others.");
        Refused($"{Places}reward: 1{string.Concat(Enumerable.Repeat(" + 1", 500))}", "It has 2001 characters; the limit is 2000.");
        Refused($"{Places}actions: {string.Concat(Enumerable.Repeat("[", 65))}", "Values are in up to 64 others.");
        Refused($"{Places}actions: [{string.Join(", ", Enumerable.Repeat("[A]", 17))}]", "There are 17 groups; the limit is 16.");
        Assert.Equal(400, Judge($"{Places}reward: 1{string.Concat(Enumerable.Repeat(" + 1", 399))}").Reward);
    }

    private static void Refused(string yaml, string expected)
    {
        var exception = Assert.Throws<ScenarioFormatException>(() => ScenarioYaml.Read(yaml, Names));
        Assert.True(exception.Message.Contains(expected, StringComparison.Ordinal), exception.Message);
    }

    // a is 3 and then 7, b is 1 and then -2
    private static Judgement Judge(string yaml)
    {
        var scenario = ScenarioYaml.Read(yaml, Names);
        byte[] before = [.. scenario.Before.Select(range => (byte)(range.Location.Offset == 0xC000 ? 3 : 1))];
        return scenario.Judge(before, [7, 0xFE], new long[2]);
    }
}
