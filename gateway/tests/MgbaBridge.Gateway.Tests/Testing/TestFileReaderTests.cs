using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Testing;

namespace MgbaBridge.Gateway.Tests.Testing;

public sealed class TestFileReaderTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-tests-");

    public TestFileReaderTests() => File.WriteAllText(Path.Combine(_folder.FullName, "a.gba"), "");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Cases_ReplaceTextsInBraces()
    {
        var file = Read("""
            rom: a.gba
            frames: 100
            tests:
              - name: press {key}
                cases: [{key: A, index: 0}, {key: Up+B, index: 2}]
                steps:
                  - press: "{key}"
                  - expect: "edges[{index}] == 1"
              - name: row
                frames: 7
                cases: [{n: 3}]
                steps: [{wait: "{n}"}, {value: a, equals: "{n}"}, {value: a, equals: "3"}]
            """);

        Assert.Equal([("press A", 100L), ("press Up+B", 100), ("row (n: 3)", 7)], file.Tests.Select(test => (test.Id.Name, test.Frames)));
        Assert.Equal(new PressStep(7, KeySet.Parse("Up+B"), TapKeys.DefaultFrames), file.Tests[1].Steps[0]);
        Assert.Equal(new WaitStep(12, 3), file.Tests[2].Steps[0]);
        Assert.Equal(["3", "\"3\""], file.Tests[2].Steps.OfType<ValueStep>().Select(step => step.Expected!.ToJsonString()));
        Assert.Equal("edges[2] == 1", Assert.IsType<ExpectStep>(file.Tests[1].Steps[1]).Condition.ToString());
    }

    [Fact]
    public void Options_OfTheMachine_AreRead()
    {
        const string Tests = "tests: [{name: a, steps: [{wait: 1}]}]";
        Assert.Equal(
            new EmulatorOptions { SaveType = "flash1m", Hardware = "rtc,light", IdleLoop = "none", Model = "agb", SkipBios = true, Clock = "fixed:2026-01-01T12:00" },
            Read($"rom: a.gba\nsave-type: flash1m\nhardware: rtc,light\nidle-loop: none\nmodel: agb\nskip-bios: true\nclock: fixed:2026-01-01T12:00\n{Tests}").Options);
        Assert.Equal(new EmulatorOptions { Clock = TestFile.DefaultClock }, Read($"rom: a.gba\n{Tests}").Options);
    }

    [Theory]
    [InlineData("", "1:1: One YAML document is expected.")]
    [InlineData("tests: 5", "1:8: tests is a list.")]
    [InlineData("- a", "1:1: Fields are expected here: rom, patch, cheats, state, bios, save, properties, symbols, config, save-type, hardware, idle-loop, model, mbc, palette, skip-bios, clock, frames, color-bits, tolerance, shades, colors, setup, tests.")]
    [InlineData("rom: a.gba\ntest: []", "2:1: There is no field \"test\" here. Did you mean tests? The fields are rom, patch, cheats, state, bios, save, properties, symbols, config, save-type, hardware, idle-loop, model, mbc, palette, skip-bios, clock, frames, color-bits, tolerance, shades, colors, setup, tests.")]
    [InlineData("rom: a.gba\ntests: []", "1:1: There are no tests.")]
    [InlineData("rom: a.gba\npatch: b.ips\ntests: [{name: a, steps: [{wait: 1}]}]", "2:8: There is no file {folder}/b.ips.")]
    [InlineData("rom: a.gba\nconfig: CGB\ntests: [{name: a, steps: [{wait: 1}]}]", "2:9: config has settings of mGBA, such as {gb.model: CGB}.")]
    [InlineData("rom: a.gba\nconfig: {gb.model: [CGB]}\ntests: [{name: a, steps: [{wait: 1}]}]", "2:9: A setting of mGBA has a name and a text or number, *")]
    [InlineData("rom: a.gba\nsave-type: flash\ntests: [{name: a, steps: [{wait: 1}]}]", "2:12: save-type is \"flash\"; expected one of none, sram, *")]
    [InlineData("rom: a.gba\nclock: fixed:1999-01-01T00:00\ntests: [{name: a, steps: [{wait: 1}]}]", "2:8: clock is \"fixed:1999-01-01T00:00\"; *")]
    [InlineData("rom: a.gba\nhardware: sonar\ntests: [{name: a, steps: [{wait: 1}]}]", "2:11: hardware is \"sonar\"; expected none, or one or more of rtc, *")]
    [InlineData("rom: a.gba\nidle-loop: 134219067\ntests: [{name: a, steps: [{wait: 1}]}]", "2:12: idle-loop is \"134219067\"; expected none, or the address of *")]
    [InlineData("rom: a.gba\npalette: FFFFFF,000000\ntests: [{name: a, steps: [{wait: 1}]}]", "2:10: palette is \"FFFFFF,000000\"; expected 4 or 12 colours *")]
    [InlineData("rom: a.gba\nclock: 2026-02-30T12:00\ntests: [{name: a, steps: [{wait: 1}]}]", "2:8: clock is \"2026-02-30T12:00\"; expected host, *")]
    [InlineData("rom: b.gba\ntests: [{name: a, steps: [{wait: 1}]}]", "1:6: There is no file {folder}/b.gba.")]
    [InlineData("tests: [{name: a, steps: [{wait: 1}]}]", "1:1: rom is missing.")]
    [InlineData("rom: a.gba\nrom: a.gba", "2:1: Duplicate key rom")]
    [InlineData("rom: [", "2:1: While parsing a node, did not find expected node content.")]
    [InlineData("rom: a.gba\ntests: [{steps: [{wait: 1}]}]", "2:9: name is missing.")]
    [InlineData("rom: a.gba\ntests: [{name: a}]", "2:9: The test has no steps.")]
    [InlineData("rom: a.gba\ntests: [{name: a, steps: [{wait: 1}]}, {name: a, steps: [{wait: 1}]}]", "2:8: There are two tests with the name \"a\".")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - wiat: 1", "5:5: There is no field \"wiat\" here. Did you mean wait? *")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - wait: 0", "5:11: wait is \"0\"; expected an integer from 1 to 1000000.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - press: X", "5:12: \"X\" are no keys. Keys are A, B, *")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - light: 1.5", "5:12: light is \"1.5\"; expected a number from 0 to 1.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - gyro: nan", "5:11: gyro is \"nan\"; expected a number from -1000 to 1000.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - tilt: [1]", "5:11: A tilt is [x, y] in degrees, such as [10, -5].")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - tilt: [1, 91]", "5:11: tilt is \"91\"; expected a number from -90 to 90.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - wait: 1\n    equals: 2", "6:13: A step with wait has no field equals.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - press: A\n    equals: 2", "6:13: A step with press has no field equals; it may have frames.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - frames: 2", "5:5: A step has one of wait, press, *")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - expect: lives", "5:13: \"lives\" is not a test. *")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - value: lives", "5:5: equals is missing.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - value: lives\n    equals: {[a]: 1}", "6:14: The name of a field is a text.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - picture: a.png\n    region: [1, 2, 3]", "6:13: A region is [x, y, width, height] in pixels.")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  steps:\n  - press: \"{key}\"", "5:12: \"{key\" has no cases: *")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  cases: [{kye: A}]\n  steps:\n  - press: \"{key}\"", "6:12: The cases have no field \"key\". Did you mean kye?")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  cases: [1]\n  steps: [{wait: 1}]", "4:11: A case has fields with texts or numbers, *")]
    [InlineData("rom: a.gba\ntests:\n- name: a\n  expect-failure: yes\n  steps: [{wait: 1}]", "4:19: expect-failure is \"yes\"; expected true or false.")]
    public void File_ThatIsWrong_IsRefusedWithLineAndColumn(string yaml, string message)
    {
        var error = Assert.Throws<TestFileException>(() => Read(yaml)).Message;

        var expected = $"{_folder.FullName}/a.test.yaml:{message.Replace("{folder}", _folder.FullName, StringComparison.Ordinal)}";
        if (expected.EndsWith('*'))
        {
            Assert.StartsWith(expected[..^1], error, StringComparison.Ordinal);
        }
        else
        {
            Assert.Equal(expected, error);
        }
    }

    [Fact]
    public void Aliases_ThatMultiply_AreRefused()
    {
        var nested = string.Concat(Enumerable.Range(1, 9).Select(level => $", &s{level} [{string.Join(", ", Enumerable.Repeat($"*s{level - 1}", 9))}]"));

        Assert.Throws<TestFileException>(() => Read($"rom: a.gba\ntests: [&s0 [{{name: a}}]{nested}]"));
    }

    [Fact]
    public void Nesting_ThatIsDeep_IsRefused()
    {
        var error = Assert.Throws<TestFileException>(() => Read($"tests: {new string('[', 100_000)}")).Message;

        Assert.Contains("64", error, StringComparison.Ordinal);
    }

    private TestFile Read(string yaml)
    {
        var path = Path.Combine(_folder.FullName, "a.test.yaml");
        File.WriteAllText(path, yaml);
        return TestFileReader.Read(path)[0];
    }
}
