using System.Text;
using System.Xml.Linq;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Testing;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Testing;

/// <summary>Small ROMs that speak as the public suites do, in the real core.</summary>
public sealed class VerdictRuleTests : IDisposable
{
    private const int Code = 0x150;
    private const int Data = 0x400;

    // b = 3, c = 5, d = 8, e = 13, h = 21, l = 34
    private const string Fibonacci = "06 03 0E 05 16 08 1E 0D 26 15 2E 22";
    private const string Forever = "18 FE";
    private const string CopiesData = "21 00 04 2A B7 28 04 12 13 18 F8"; // hl = data; while ((a = *hl++)) *de++ = a

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-tests-");

    public void Dispose() => _folder.Delete(recursive: true);

    public static TheoryData<string, string, byte[], byte[]> Suites => new()
    {
        { "blargg", "a.gb", Blargg("Passed\n"), Blargg("Failed #2\n") },
        { "blargg-memory", "a.gb", BlarggMemory("Passed", 0), BlarggMemory("Failed #2", 2) },
        { "blargg-screen", "a.gb", BlarggScreen("Passed"), BlarggScreen("Failed") },
        { "mooneye", "a.gb", Gb($"{Fibonacci} 40 {Forever}"), Gb($"{Fibonacci} 06 42 40 {Forever}") },
        { "mooneye-wilbertpol", "wilbertpol/a.gb", Gb($"{Fibonacci} ED"), Gb($"{Fibonacci} 06 42 ED") },
        { "gbmicrotest", "a.gb", Gb($"3E 01 E0 82 {Forever}", "microtest"), Gb($"3E FF E0 82 {Forever}", "microtest") },
        { "gambatte-dmg", "a_dmg08_out1.gb", Digit(1), Digit(2) },
        { "gambatte-cgb", "a_out1.gbc", Digit(1), Digit(2) },
        { "jsmolka", "a.gba", Gba("GBA Tests", 0x0600477A, 0x01010101, 0x060047F4, 0x01010100, 0xE3A0_2041), Gba("GBA Tests", 0x0600477C, 0x01010101, 0x060047B4, 0x01010101, 0xE3A0_2041) },
        { "gba-suite-arm", "a.gba", Gba("eggvance", 0x05000000, 0x03E0, 0x03000000, 0, 0xE3A0_0E3E, 0xE3A0_C000), Gba("eggvance", 0x05000000, 0x001F, 0x03000000, 0, 0xE3A0_0E3E, 0xE3A0_C000) },
        { "gba-suite-thumb", "a.gba", Gba("eggvance", 0x05000000, 0x03E0, 0x03000000, 0, 0x0140_201F, 0x0609_2105, 0x2700), Gba("eggvance", 0x05000000, 0, 0x03000000, 0, 0x0140_201F, 0x0609_2105, 0x2700) },
        { "hw-test", "a.gba", Console("one: PASS 3  congratulations!"), Console("one: FAIL 4  pass: 0 total: 1") },
        { "fuzzarm", "a.gba", Gba("RandomROMs", 0x060006FC, 0x01010101, 0x03000000, 0, 0), Gba("RandomROMs", 0x02000000, 0x41414141, 0x03000000, 0, 0) },
    };

    [Theory]
    [MemberData(nameof(Suites))]
    public async Task Rule_ThatFits_Judges(string rule, string name, byte[] passing, byte[] failing)
    {
        Assert.Equal([rule], new VerdictRules(null).For(Write($"good/{name}", passing), null).Select(static each => each.Name));
        Assert.Equal([rule], new VerdictRules(null).For(Write($"bad/{name}", failing), null).Select(static each => each.Name));

        var run = await RunAsync(_folder.FullName, "--junit", PathOf("report.xml"));

        Assert.EndsWith($"rule {rule}: 1 of 2 passed\n1 passed, 1 failed\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith(PathOf($"bad/{name}"), run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("did not end", run.Output, StringComparison.Ordinal);
        Assert.Contains($"(rule {rule})", run.Output, StringComparison.Ordinal);
        Assert.All(XDocument.Load(PathOf("report.xml")).Descendants("property"), property => Assert.Equal(rule, property.Attribute("value")!.Value));
    }

    [Theory]
    [InlineData("END: 3/3", "13 passed, 0 failed\n", null)]
    [InlineData("END: 2/3", "0 passed, 13 failed\n", ": END: 2/3. (rule mgba-suite-memory)")]
    [InlineData("END: 3/33", "0 passed, 13 failed\n", ": END: 3/33. (rule mgba-suite-dma)")]
    [InlineData("END: 0/0", "0 passed, 13 failed\n", ": The log has no line with ")]
    public async Task Rule_OfALog_Judges(string line, string output, string? reason)
    {
        var rom = PrintingRom.Gba(0, "BEGIN: Tests", line);
        Convert.FromHexString("FEFFFFEA").CopyTo(rom, rom.AsSpan().IndexOf(Convert.FromHexString("000003EF"))); // it loops instead of ending
        Write("suite.gba", [.. rom, .. "Game Boy Advance Test Suite"u8]);

        var run = await RunAsync(PathOf("suite.gba"));

        Assert.EndsWith(output, run.Output, StringComparison.Ordinal);
        Assert.Contains(reason ?? "rule mgba-suite-memory: 1 of 1 passed", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("dmg-acid2-dmg", "DMG-ACID2", "a.gb", "a-dmg.png", 0xAA)]
    [InlineData("cgb-acid2", "CGB-ACID2", "a.gbc", "a.png", 0xAD)]
    [InlineData("mealybug-dmg", "", "m3_a.gb", "m3_a_dmg_blob.png", 0xAA)]
    [InlineData("age-dmg", "", "a.gb", "a-dmgC.png", 0xAA)]
    [InlineData("gambatte-picture-dmg", "", "a.gb", "a_dmg08.png", 0xAA)]
    [InlineData("gambatte-picture-cgb", "", "a.gbc", "a_cgb04c.png", 0xA8)]
    [InlineData("bully", "", "bully.gb", "bully.png", 0xAA)]
    [InlineData("firstwhite-dmg", "", "firstwhite.gb", "firstwhite-dmg.png", 0xAA)]
    [InlineData("mbc3-tester-dmg", "", "mbc3-tester.gb", "mbc3-tester-dmg.png", 0xAA)]
    [InlineData("scribbltests-dmg", "", "lycscx.gb", "lycscx-dmg.png", 0xAA)]
    [InlineData("sprite-priority-dmg", "", "sprite_priority.gb", "sprite_priority-dmg.png", 0xAA)]
    [InlineData("strikethrough-dmg", "", "strikethrough.gb", "strikethrough-dmg.png", 0xAA)]
    [InlineData("turtle", "", "window_y_trigger.gb", "window_y_trigger.png", 0xAA)]
    [InlineData("rtc3test-basic-tests-dmg", "A", "rtc3test.gb", "rtc3test-basic-tests-dmg.png", 0xAA)]
    [InlineData("rtc3test-range-tests-dmg", "A", "rtc3test.gb", "rtc3test-range-tests-dmg.png", 0xAA)]
    [InlineData("rtc3test-sub-second-writes-dmg", "A", "rtc3test.gb", "rtc3test-sub-second-writes-dmg.png", 0xAA)]
    [InlineData("tellinglys-dmg", "A", "tellinglys.gb", "tellinglys-dmg.png", 0xAA)]
    public async Task Picture_InTheShadesOfTheSuite_IsCompared(string rule, string title, string name, string picture, byte shade)
    {
        var waits = title == "A" ? "AF E0 47 3E 10 E0 00 F0 00 E6 01 20 F6" : ""; // for A, with shade 0
        Write(name, Gb($"3E 81 E0 40 {waits} 3E 55 E0 47 01 00 30 0B 78 B1 20 FB 40 {Forever}", title)); // all is shade 1, for some frames
        WritePicture(picture, shade);
        Assert.Equal((0, $"rule {rule}: 1 of 1 passed\n1 passed, 0 failed\n"), Result(await RunAsync(PathOf(name))));

        WritePicture(picture, 0x55);
        var failed = await RunAsync(PathOf(name), "--rule", rule);
        Assert.Equal(1, failed.ExitCode);
        Assert.Contains($"{picture} in 23040 pixels.", failed.Output, StringComparison.Ordinal);
        var results = Directory.GetDirectories(PathOf("results"), "*", SearchOption.AllDirectories).Single(static folder => File.Exists(Path.Combine(folder, "failure.txt")));
        Assert.Superset(
            new HashSet<string?>(["picture.png", "state.ss", "expected.png", "difference.png", "log.txt"]), new HashSet<string?>(Directory.GetFiles(results).Select(Path.GetFileName)));

        File.Delete(PathOf(picture));
        Assert.Contains("There is no picture to compare with: neither", (await RunAsync(PathOf(name), "--rule", rule)).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rom_ThatDoesNotEnd_IsNamedWithWhatWasWaitedFor()
    {
        Write("a.gb", Gb($"{Fibonacci} 40 {Forever}").Select(static (value, at) => at == Code + 12 ? (byte)0 : value).ToArray()); // no LD B,B
        Write("own.rule.yaml", "rule: own\nfits: {console: gb}\nframes: 30\nends: [ld-b-b, 0xC000 u16 == 0x1234]\npasses: b == 3\n");

        var run = await RunAsync(_folder.FullName);

        Assert.Equal(1, run.ExitCode);
        Assert.Contains("The ROM did not end within 30 frames: the rule waits for LD B,B or 0xC000 u16 == 0x1234. (rule own)", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rom_ThatStopsWithoutWords_HasFailed()
    {
        var rom = Blargg("");
        Bytes("10 00").CopyTo(rom, Code);

        var run = await RunAsync(Write("a.gb", rom));

        Assert.Equal(1, run.ExitCode);
        Assert.Contains("The ROM stopped without a result. (rule blargg)", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rom_ThatNoRuleFits_IsSkippedInAFolder_AndTheRomOfATestFileIsNone()
    {
        Write("a.gb", Gb(Forever));
        Write("b.gb", Gb(Forever));
        Write("a.test.yaml", "rom: a.gb\ntests: [{name: runs, steps: [{wait: 1}]}]");

        var run = await RunAsync(_folder.FullName);

        Assert.Equal((0, $"{PathOf("b.gb")}: No rule fits this ROM: name one with --rule, or write one beside it (*.rule.yaml).\n1 passed, 0 failed, 1 skipped\n"), Result(run));
    }

    [Fact]
    public async Task Rules_BesideTheRoms_ComeFirst_AndMayNotContradict()
    {
        Write("a.gb", Gb($"{Fibonacci} 40 {Forever}"));
        Write("own.rule.yaml", "rule: own\nfits: {console: gb, title: ^$, at: [0x150 == 06, 0x151 != 04]}\nends: [still 5]\npasses: b == 3 and 0xFF80 u8 == 0\n");
        Assert.EndsWith("rule own: 1 of 1 passed\n1 passed, 0 failed\n", (await RunAsync(_folder.FullName)).Output, StringComparison.Ordinal);
        Assert.EndsWith("rule mooneye: 1 of 1 passed\n1 passed, 0 failed\n", (await RunAsync(PathOf("a.gb"), "--rule", "mooneye")).Output, StringComparison.Ordinal);

        Write("own.rule.yaml", "rule: own\nfits: {console: gb}\nends: [frames 5]\npasses: b == 3\nfails: b == 3\n");
        var contradiction = await RunAsync(_folder.FullName);
        Assert.Contains("The rule contradicts itself: both passes and fails hold.", contradiction.Output, StringComparison.Ordinal);
        Assert.Equal(1, contradiction.ExitCode);

        Write("other.rule.yaml", "rule: other\nfits: {console: gb}\nends: [frames 5]\npasses: b == 3\n");
        var two = await RunAsync(_folder.FullName);
        Assert.Equal(2, two.ExitCode);
        Assert.Contains($"{PathOf("a.gb")}: two rules fit: other ({PathOf("other.rule.yaml")}:1) and own ({PathOf("own.rule.yaml")}:1). Choose one with --rule.", two.Error, StringComparison.Ordinal);

        var unknown = await RunAsync(PathOf("a.gb"), "--rule", "mooneyes");
        Assert.Equal(2, unknown.ExitCode);
        Assert.Contains("There is no rule mooneyes. The rules are age-cgb, age-dmg, blargg,", unknown.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("rule: own\nends: [ld-b-b]\npasses: b == 3", "1:1: fits is missing: it says which ROMs the rule is for.")]
    [InlineData("rule: own\nfits: {console: nes}", "2:17: console is \"nes\"; expected gb or gba.")]
    [InlineData("rule: own\nfits: {path: '('}", "2:14: \"(\" is no regular expression:")]
    [InlineData("rule: own\nfits: {bytes: [XY]}", "2:16: Bytes are 1 to 32 in hexadecimal, such as E0 82.")]
    [InlineData("rule: own\nfits: {}\nends: [never]\npasses: b == 3", "3:8: \"never\" is no end:")]
    [InlineData("rule: own\nfits: {}\nends: [0xFF82 u8 > 3]\npasses: b == 3", "3:8: \"0xFF82 u8 > 3\" is no end:")]
    [InlineData("rule: own\nfits: {}\nends: ['log ']\npasses: b == 3", "3:8: \"log \" is no end:")]
    [InlineData("rule: own\nfits: {}\ntext-step: 5\ntext: 0xC000", "3:12: ")]
    [InlineData("rule: own\nfits: {}\nends: [ld-b-b]", "3:7: A rule with ends has passes, passes-text, passes-log, pictures or digits")]
    [InlineData("rule: own\nfits: {}\nends: [ld-b-b]\npasses: q == 3", "4:9: \"q\" is no register and no address with a type")]
    [InlineData("rule: own\nfits: {}\nmodel: NES", "3:8: model is \"NES\"")]
    [InlineData("rule: own\nfits: {}\npass: b == 3", "3:1: There is no field \"pass\" here. Did you mean passes?")]
    [InlineData("rule: own\nfits: {}\nsays: '{q}'", "3:7: {q} is no register")]
    [InlineData("rule: own\nfits: {}\npasses-text: ok", "3:14: passes-text is of the text: give its address with text.")]
    [InlineData("rule: own\nfits: {}\nkeys: [A]", "3:8: \"A\" are no keys from a frame on, such as 60 A or 64 none.")]
    [InlineData("rule: own\nfits: {}\ncolors: vba", "3:9: colors is \"vba\"; expected mgba or gambatte.")]
    [InlineData("rule: own\nfits: {}\nshades: [ff, aa]", "3:9: shades are four greys from light to dark")]
    [InlineData("- {rule: one, fits: {}}\n- {rule: two}", "2:3: fits is missing")]
    public void Rule_ThatIsWrong_IsNamedWithLineAndColumn(string text, string expected)
    {
        var exception = Assert.Throws<TestFileException>(() => VerdictRuleReader.Read("own.rule.yaml", new StringReader(text)));

        Assert.StartsWith($"own.rule.yaml:{expected}", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rule_ThatIsWrong_EndsWithExitCode2()
    {
        Write("a.gb", Gb(Forever));
        Write("own.rule.yaml", "rule: own\n");

        var run = await RunAsync(_folder.FullName);

        Assert.Equal(2, run.ExitCode);
        Assert.Contains($"{PathOf("own.rule.yaml")}:1:1: fits is missing", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void BuiltInRules_AreDocumented()
    {
        var documented = File.ReadAllText(Repository.File("docs/testing.md"));

        Assert.Distinct(VerdictRules.BuiltIn.Select(static rule => rule.Name));
        Assert.All(VerdictRules.BuiltIn, rule => Assert.Matches($"(?m)^\\| (`[^|]*, )?`{rule.Name}`[, |]", documented));
    }

    private static (int, string) Result(VerbRun run) => (run.ExitCode, run.Output);

    // sends the text to the link port
    private static byte[] Blargg(string text) => WithData(Gb($"21 00 04 2A B7 28 08 E0 01 3E 81 E0 02 18 F4 {Forever}"), $"{text}\0Passed\0\u00E1>\0\u00C3Failed\n\0\u00E1\u00C9");

    // the state 0x80, the signature, the text, the result
    private static byte[] BlarggMemory(string text, byte result)
    {
        var rom = WithData(Gb($"3E 0A EA 00 00 3E 80 EA 00 A0 3E DE EA 01 A0 3E B0 EA 02 A0 3E 61 EA 03 A0 11 04 A0 {CopiesData} 3E {result:X2} EA 00 A0 {Forever}"), text);
        (rom[0x147], rom[0x149]) = (3, 2);
        return rom;
    }

    // the same without memory; the text is on the screen
    private static byte[] BlarggScreen(string text) => WithData(Gb($"3E DE EA 01 A0 AF E0 40 11 00 98 {CopiesData} 3E 91 E0 40 {Forever}"), text);

    // the digit's tile, which is as the one of the suite for 0, with a line more for each number
    private static byte[] Digit(int digit)
    {
        var rom = Gb($"AF E0 40 3E E4 E0 47 21 00 04 11 00 80 06 40 2A 12 13 05 20 FA 3E {digit:X2} EA 00 98 3E 91 E0 40 {Forever}");
        var zero = Convert.FromHexString("00007F7F4141414141414141414141417F7F"[..32]);
        for (var tile = 0; tile < 4; tile++)
        {
            zero.CopyTo(rom, Data + (tile * 16));
            rom.AsSpan(Data + (tile * 16), 2).Fill((byte)tile);
        }

        Convert.FromHexString("7F7F414141414141414141417F7F").CopyTo(rom, Data + 0x100);
        return rom;
    }

    private static byte[] Gb(string code, string title = "")
    {
        var rom = new byte[0x8000];
        Bytes("00 C3 50 01 CE ED 66 66").CopyTo(rom, 0x100);
        Encoding.ASCII.GetBytes(title).CopyTo(rom, 0x134);
        Bytes(code).CopyTo(rom, Code);
        return rom;
    }

    private static byte[] WithData(byte[] rom, string text)
    {
        Encoding.Latin1.GetBytes(text).CopyTo(rom, Data);
        return rom;
    }

    // mode 4; writes two numbers, and has another in the ROM
    private static byte[] Gba(string title, uint first, uint firstValue, uint second, uint secondValue, params uint[] extra)
    {
        var rom = new byte[0x400];
        BitConverter.GetBytes(0xEA00_002E).CopyTo(rom, 0); // b 0xC0
        Encoding.ASCII.GetBytes(title).CopyTo(rom, 0xA0);
        rom[0xB2] = 0x96;
        var at = 0xC0;
        foreach (var word in Stores(first, firstValue).Concat(Stores(second, secondValue)).Append(0xEAFF_FFFEu).Concat(extra))
        {
            BitConverter.GetBytes(word).CopyTo(rom, at);
            at += 4;
        }

        return rom;
    }

    // writes a text to the map of libgba's console, with a palette in the other bytes
    private static byte[] Console(string text)
    {
        var rom = new byte[0x400];
        BitConverter.GetBytes(0xEA00_002E).CopyTo(rom, 0); // b 0xC0
        rom[0xB2] = 0x96;
        // ldr r0, =0x080000EC; ldr r1, =0x06002000; ldr r2, =length; copy: ldrh r3, [r0], #2; strh r3, [r1], #2; subs r2, #1; bne copy; b .
        uint[] code = [0xE59F_0018, 0xE59F_1018, 0xE59F_2018, 0xE0D0_30B2, 0xE0C1_30B2, 0xE252_2001, 0x1AFF_FFFB, 0xEAFF_FFFE, 0x0800_00EC, 0x0600_2000, (uint)text.Length];
        foreach (var (index, word) in code.Index())
        {
            BitConverter.GetBytes(word).CopyTo(rom, 0xC0 + (index * 4));
        }

        foreach (var (index, letter) in text.Index())
        {
            (rom[0xEC + (index * 2)], rom[0xED + (index * 2)]) = ((byte)letter, 0xF0);
        }

        Encoding.ASCII.GetBytes("congratulations!\0total:").CopyTo(rom, 0x300);
        return rom;
    }

    // halfwords: r0 = address, r1 = value, strh r1, [r0]
    private static IEnumerable<uint> Stores(uint address, uint value) =>
        [0xE59F_0000, 0xEA00_0000, address, 0xE59F_1000, 0xEA00_0000, value, 0xE1C0_10B0, 0xE1A0_1821, 0xE1C0_10B2];

    private static byte[] Bytes(string text) => Convert.FromHexString(text.Replace(" ", "", StringComparison.Ordinal));

    private Task<VerbRun> RunAsync(params string[] arguments) => VerbRun.OfAsync(["test", .. arguments, "--output", PathOf("results")]);

    private void WritePicture(string name, byte shade)
    {
        using var picture = new Picture(160, 144);
        picture.Add(Enumerable.Repeat(shade, 160 * 144 * 3).ToArray());
        using var file = File.Create(PathOf(name));
        PngFile.Write(picture, 1, file);
    }

    private string Write(string name, byte[] content)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(PathOf(name))!);
        File.WriteAllBytes(PathOf(name), content);
        return PathOf(name);
    }

    private void Write(string name, string content) => Write(name, Encoding.UTF8.GetBytes(content));

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
