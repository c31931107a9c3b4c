using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Scenarios;

namespace MgbaBridge.Gateway.Tests.Scenarios;

public sealed class ScenarioFileTests
{
    private const string Data = """{"info":{"lives":{"address":49253,"type":"|i1"},"score":{"address":49152,"type":">d2"},"flags":{"address":49200,"type":"|u1","mask":6}}}""";

    [Fact]
    public void Documents_OfAnIntegration_AreVariablesActionsAndCrop()
    {
        var scenario = Read("""{"crop":[8,16,0,128],"actions":[[[],["UP"],["DOWN"]],[[],["A"],["A","B"]]],"scripts":["script.lua"],"done":{"variables":{"lives":{"op":"zero"}}}}""");

        Assert.Equal(["lives:0xC065:|i1:-1", "score:0xC000:>d2:-1", "flags:0xC030:|u1:6"], scenario.Variables.Select(one => $"{one.Name}:0x{one.Location.Offset:X}:{one.Type}:{one.Mask}"));
        Assert.Equal([1, 2, 1], scenario.After.Select(range => range.Length));
        Assert.Empty(scenario.Before);
        Assert.Equal(new PictureCrop(8, 16, 0, 128), scenario.Crop);
        Assert.Equal([["", "Up", "Down"], ["", "A", "A+B"]], scenario.Actions.Select(group => group.Select(keys => keys.ToString()).ToArray()).ToArray());
    }

    [Theory]
    [InlineData("Up+A", "A+Up")]
    [InlineData("Up+Down+A", "A")]
    [InlineData("B", "")]
    [InlineData("A+B+Down", "A+B+Down")]
    [InlineData("Start+Left", "")]
    [InlineData("", "")]
    public void Keys_OfAStep_AreThoseThatTheActionsAllow(string keys, string allowed)
    {
        var scenario = Read("""{"actions":[[[],["UP"],["DOWN"]],[[],["A"],["A","B"]]]}""");
        Assert.Equal(allowed, scenario.Allowed(KeySet.Parse(keys)).ToString());
        Assert.Equal(KeySet.Parse(keys), Read("{}").Allowed(KeySet.Parse(keys)));
    }

    [Theory]
    [InlineData("measurment", """{"reward":{"variables":{"score":{"measurment":"delta"}}}}""", "scenario.json: Line 1, column 47: reward.variables.score.measurment: There is no such member. Did you mean measurement?")]
    [InlineData("top", "{\n  \"rewards\": [],\n  \"dones\": {}\n}", "scenario.json: Line 3, column 12: dones: There is no such member. Did you mean done?")]
    [InlineData("op", """{"done":{"variables":{"lives":{"op":"zer"}}}}""", "\"zer\" is no such word. Did you mean zero? There are zero, nonzero,")]
    [InlineData("variable", """{"done":{"variables":{"live":{"op":"zero"}}}}""", "done.variables.live: data.json has no variable of this name. Did you mean lives?")]
    [InlineData("condition", """{"done":{"condition":"every"}}""", "There are any, all.")]
    [InlineData("reference", """{"done":{"variables":{"lives":{"op":"equal","reference":"1"}}}}""", "done.variables.lives.reference: It has to be an integer.")]
    [InlineData("reward", """{"reward":{"variables":{"score":{"reward":"1"}}}}""", "It has to be a number.")]
    [InlineData("huge", """{"reward":{"variables":{"score":{"reward":1e999}}}}""", "It has to be a number.")]
    [InlineData("twice", """{"done":{},"done":{}}""", "done: It is there twice.")]
    [InlineData("script", "{\"reward\":{\n\"script\":\"lua:f\"}}", "Line 2, column 10: reward.script: The gateway runs no Lua of scenarios. Write the reward with variables")]
    [InlineData("end script", """{"done":{"script":"lua:f"}}""", "Write the end with variables")]
    [InlineData("button", """{"actions":[[[],["UP"]],[["A"],["JUMP"]]]}""", "column 33: actions.1.1.0: \"JUMP\" is no such word. Did you mean UP?")]
    [InlineData("crop", """{"crop":[1,2,3]}""", "A crop is [x, y, width, height].")]
    [InlineData("crop side", """{"crop":[1,2,3,-1]}""", "crop.3: It has to be an integer from 0 to 65535.")]
    [InlineData("kind", """{"done":[]}""", "done: It has to be an object { }.")]
    [InlineData("list", "[]", "scenario.json: Line 1, column 1: It has to be an object { }.")]
    [InlineData("syntax", "{\n  \"done\": }", "scenario.json: Line 2, column 11: ")]
    [InlineData("rest", "{} {}", "scenario.json: Line 1, column 4: ")]
    public void Scenario_ThatIsWrong_IsRefusedWithPlaceAndReason(string what, string scenario, string expected)
    {
        var exception = Assert.Throws<ScenarioFormatException>(() => Read(scenario));
        Assert.True(exception.Message.Contains(expected, StringComparison.Ordinal), $"{what}: {exception.Message}");
    }

    [Theory]
    [InlineData("""{"info":{"hp":{"address":1,"type":"<u2","typ":1}}}""", "data.json: Line 1, column 47: info.hp.typ: There is no such member. Did you mean type?")]
    [InlineData("""{"info":{"hp":{"address":1,"type":"u2"}}}""", "info.hp.type: A type is a byte order")]
    [InlineData("""{"info":{"hp":{"address":-1,"type":"<u2"}}}""", "info.hp.address: It has to be an integer from 0 to 4294967295.")]
    [InlineData("""{"info":{"hp":{"type":"<u2"}}}""", "info.hp: A variable has an address and a type.")]
    [InlineData("""{"variables":{}}""", "Did you mean info?")]
    [InlineData("{}", "It lacks info")]
    public void Data_ThatIsWrong_IsRefusedWithPlaceAndReason(string data, string expected)
    {
        var exception = Assert.Throws<ScenarioFormatException>(() => Read("{}", data));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Documents_BeyondTheLimits_AreRefused()
    {
        var variables = string.Join(',', Enumerable.Range(0, 257).Select(index => $$$""" "v{{{index}}}":{"address":0,"type":"|u1"}"""));
        var nodes = string.Join(',', Enumerable.Range(0, 1_024).Select(index => $$$""" "{{{index}}}":{}"""));
        Refused("{}", $$$$"""{"info":{{{{{variables}}}}}}""", "257 members; the limit is 256");
        Refused("{\"done\":{}}" + new string(' ', 262_144), Data, "the limit is 262144");
        Refused($$"""{"actions":[{{string.Join(',', Enumerable.Repeat("[[]]", 17))}}]}""", Data, "17 items; the limit is 16");
        Refused($$"""{"actions":[[{{string.Join(',', Enumerable.Repeat("[]", 1_025))}}]]}""", Data, "1025 items; the limit is 1024");
        Refused($$$"""{"done":{{{Nested(16)}}}}""", Data, "at most 16 levels deep");
        Refused($$$"""{"done":{{{Nested(40)}}}}""", Data, "64");
        Refused($$$$$"""{"done":{"nodes":{{{{{{nodes}}}}}},"variables":{"lives":{}}}}""", Data, "more than 1024");
        Refused($$$$$"""{"done":{"nodes":{"{{{{{new string('x', 201)}}}}}":{}}}}""", Data, "201 characters; the limit is 200");
        Assert.NotNull(Read($$$"""{"done":{{{Nested(15)}}}}"""));

        static string Nested(int levels) => string.Concat(Enumerable.Repeat("{\"nodes\":{\"n\":", levels)) + "{}" + new string('}', 2 * levels);

        static void Refused(string scenario, string data, string expected) =>
            Assert.Contains(expected, Assert.Throws<ScenarioFormatException>(() => Read(scenario, data)).Message, StringComparison.Ordinal);
    }

    /// <summary>The integrations of stable-retro, where a copy of them is: STABLE_RETRO_DATA=folder/retro/data.</summary>
    [Fact]
    public void Integrations_OfStableRetro_AreAllRead()
    {
        var root = Environment.GetEnvironmentVariable("STABLE_RETRO_DATA");
        Assert.SkipUnless(Directory.Exists(root), "There is no copy of stable-retro; STABLE_RETRO_DATA names its folder retro/data.");
        var (read, scripts) = (0, 0);
        foreach (var data in Directory.EnumerateFiles(root!, "data.json", SearchOption.AllDirectories))
        {
            var folder = Path.GetDirectoryName(data)!;
            if (!folder.EndsWith("-GameBoy", StringComparison.Ordinal))
            {
                continue;
            }

            var scenario = Path.Combine(folder, "scenario.json");
            try
            {
                ScenarioFile.Read(File.ReadAllBytes(data), File.Exists(scenario) ? File.ReadAllBytes(scenario) : "{}"u8.ToArray());
                read++;
            }
            catch (ScenarioFormatException exception) when (exception.Message.Contains("no Lua", StringComparison.Ordinal))
            {
                scripts++;
            }
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"{read} read, {scripts} with scripts");
        Assert.True(read >= 30, $"{read} were read");
        Assert.Equal(0, scripts);
    }

    private static Scenario Read(string scenario, string data = Data) => ScenarioFile.Read(Encoding.UTF8.GetBytes(data), Encoding.UTF8.GetBytes(scenario));
}
