using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Symbols;

public sealed class PropertyMapFileTests
{
    [Fact]
    public void Read_OfTheExample_KnowsPartsByName()
    {
        var map = PropertyMapFile.Read(File.ReadAllBytes(Repository.File("docs/examples/mgba-bridge-test.json")));
        Assert.Equal(0x52258CD4u, map.Crc32);
        Assert.Equal("edges u32[10] mbt_block+0x20", TextOf(map.Find("edges")));
        Assert.Equal("edges[3] u32 mbt_block+0x2C", TextOf(map.Find("edges[3]")));
        Assert.Equal("events[63].press u16 mbt_block+0x30E", TextOf(map.Find("events[63].press")));
        Assert.Equal("node.tag text 0x020000B0 0", TextOf(map.Find("node.tag")));
        Assert.Equal("node.next u32 0x020000B0 8", TextOf(map.Find("node.next")));
        Assert.Equal("node.value u32 0x020000B0 8 0", TextOf(map.Find("node.value")));
        Assert.All(["edges[10]", "edges[-1]", "edges[x]", "edges[", "edges.0", "node.nope", "events[0].press.x", "frames.x", ".", "", "nope"], name => Assert.Null(map.Find(name)));
    }

    [Fact]
    public void Texts_ThatFillTheirBytes_EndThere()
    {
        var map = PropertyMapFile.Read("""
            {"structs":{"s":{"fields":{"name":{"at":0,"type":"text","length":2},"raw":{"at":2,"type":"bytes","length":1},"last":{"at":3,"type":"u8"}}}},
             "properties":{"party":{"type":"s","count":2,"at":"0x02000000"}}}
            """u8);
        Assert.Equal(
            """[{"name":"Ab","raw":"Yw==","last":100},{"name":"Ef","raw":"Zw==","last":104}]""",
            map.Find("party")!.Type.Read("AbcdEfgh"u8).ToJsonString());
    }

    [Fact]
    public void Read_OfWhatIsNoUtf8_SaysWhere()
    {
        byte[] json = [.. "{\"properties\":\n{\""u8, 0xE9, .. "\":{\"type\":\"u8\",\"at\":\"0\"}}}"u8];
        Assert.StartsWith("Line 2, column 3: This is no UTF-8.", Assert.Throws<NameFormatException>(() => PropertyMapFile.Read(json)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_OfANameWithHalfACharacter_SaysWhere()
    {
        var exception = Assert.Throws<NameFormatException>(() => PropertyMapFile.Read("{\"properties\":{\"hp\":{\"type\":\"u8\",\"at\":\"0\",\n\"\\ud800\":[8]}}}"u8));
        Assert.StartsWith("Line 2, column ", exception.Message, StringComparison.Ordinal);
        Assert.Contains("half of a surrogate pair", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{\n  \"properties\": {\n    \"hp\": { \"type\": \"u24\", \"at\": \"0x02000000\" }\n  }\n}", 3, 21, "properties.hp.type: type is u8, s8")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":\"u8\",\"at\":\"0x0200000g\"}}}", 1, 39, "properties.hp.at: A place is")]
    [InlineData("{\"properties\":{\n\"hp\":{\"type\":\"text\",\"at\":\"wram:0\"}}}", 2, 6, "properties.hp.length: length is 1")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":\"u8\",\"at\":\"a\",\"length\":3}}}", 1, 52, "Only text and bytes")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":\"u8\",\"at\":\"a\",\"count\":0}}}", 1, 51, "count is 1 or more")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":\"u32\",\"at\":\"a\",\"count\":2000000000}}}", 1, 52, "at most 1048576 bytes")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":\"text\",\"length\":4,\"at\":\"a\",\"table\":\"x\"}}}", 1, 64, "no text table x")]
    [InlineData("{\"properties\":{\"a/b\":{\"type\":\"u8\",\"at\":\"a\"}}}", 1, 22, "no / among them")]
    [InlineData("{\"structs\":{\"s\":{\"size\":4,\"fields\":{\"f\":{\"at\":2,\"type\":\"u32\"}}}},\"properties\":{}}", 1, 47, "structs.s.fields.f.at: at is 0 to 0")]
    [InlineData("{\"structs\":{\"s\":{\"fields\":{\"f\":{\"at\":0,\"type\":\"s\"}}}},\"properties\":{}}", 1, 47, "a struct defined before it")]
    [InlineData("{\"textTables\":{\"t\":{\"codes\":{\"1\":\"a\"}}},\"properties\":{}}", 1, 34, "two hex digits")]
    [InlineData("{\"properties\":{\"hp\":null}}", 1, 21, "properties.hp: it cannot be null")]
    [InlineData("{\"properties\":null}", 1, 19, "cannot be null")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":null,\"at\":\"a\"}}}", 1, 33, "cannot be null")]
    [InlineData("{\"textTables\":{\"t\":null},\"properties\":{}}", 1, 20, "textTables.t: it cannot be null")]
    [InlineData("{\"textTables\":{\"t\":{\"codes\":{\"BB\":null}}},\"properties\":{}}", 1, 35, "codes.BB: it cannot be null")]
    [InlineData("{\"structs\":{\"s\":null},\"properties\":{}}", 1, 17, "structs.s: it cannot be null")]
    [InlineData("{\"structs\":{\"s\":{\"fields\":{\"f\":null}}},\"properties\":{}}", 1, 32, "fields.f: it cannot be null")]
    [InlineData("{\"structs\":{\"s\":{\"fields\":{\"f\":{\"at\":9223372036854775807,\"type\":\"u32\"}}}},\"properties\":{}}", 1, 38, "at is 0 to 1048572")]
    [InlineData("{\"structs\":{\"s\":{\"size\":2147483647,\"fields\":{\"f\":{\"at\":0,\"type\":\"u32\"}}}},\"properties\":{}}", 1, 25, "size is 1 to 1048576")]
    [InlineData("{\"crc32\":\"0x123\",\"properties\":{}}", 1, 10, "eight hex digits")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":\"u8\"}}}", 1, 34, "it lacks 'at'")]
    [InlineData("{\"properties\":\n{\"hp\":{\"type\":\"u8\",\"at\":\"a\",\"colour\":1}}}", 2, 38, "colour: there is no such field; the fields are at, chain, type")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":\"u8\",\"at\":\"a\"},\n\"hp\":{\"type\":\"u8\",\"at\":\"b\"}}}", 2, 28, "hp: it is there twice")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":8,\"at\":\"a\"}}}", 1, 30, "wrong kind")]
    [InlineData("{\n\"properties\": [\n", 2, 16, "wrong kind")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":[[\n", 1, 30, "properties.hp.type: a value of the wrong kind")]
    [InlineData("{\"properties\":{\"hp\":{\"type\":\"u8\",\"at\":\"a\",\"chain\":[true]}}}", 1, 56, "properties.hp.chain: An offset is a number")]
    [InlineData("{\"properties\":{\"a.b\":{\"type\":\"u8\"}}}", 1, 35, "properties['a.b']: it lacks 'at'.")]
    [InlineData("{\"properties\":}", 1, 15, "properties: '}' is an invalid start of a value.")]
    [InlineData("", 1, 1, "")]
    [InlineData("null", 1, 1, "null")]
    public void Read_OfAMapThatIsWrong_SaysLineAndColumn(string json, int line, int column, string reason)
    {
        var exception = Assert.Throws<NameFormatException>(() => PropertyMapFile.Read(Encoding.UTF8.GetBytes(json)));
        Assert.StartsWith($"Line {line}, column {column}: ", exception.Message, StringComparison.Ordinal);
        Assert.Contains(reason, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Texts_OfATable_ComeBackAsTheyWent()
    {
        var table = new TextTable([new(0x10, "A"), new(0x11, "Al"), new(0x12, "l")], 0xFF);
        var bytes = new byte[6];
        Assert.Null(table.Encode("AlA{33}l", bytes));
        Assert.Equal([0x11, 0x10, 0x33, 0x12, 0xFF, 0xFF], bytes);
        Assert.Equal("AlA{33}l", table.Decode(bytes));
        Assert.Contains("place 2", table.Encode("A?", bytes), StringComparison.Ordinal);
        Assert.Contains("more than the 6 bytes", table.Encode("AAAAAAA", bytes), StringComparison.Ordinal);
        Assert.Null(table.Encode("AAAAAA", bytes));
        Assert.Equal("AAAAAA", table.Decode(bytes));
    }

    [Theory]
    [InlineData("256", "0 1")]
    [InlineData("-2", "FE FF")]
    [InlineData("65536", null)]
    [InlineData("-32769", null)]
    [InlineData("1.5", null)]
    [InlineData("\"1\"", null)]
    public void Numbers_ThatAreWritten_AreWithinTheirType(string json, string? expected)
    {
        var bytes = new byte[2];
        var wrong = new ScalarType(NumberType.S16, Endian.Little).Write(JsonDocument.Parse(json).RootElement, bytes);
        Assert.Equal(expected is null, wrong is not null);
        Assert.Equal(expected ?? "0 0", string.Join(' ', bytes.Select(part => part.ToString("X"))));
    }

    private static string TextOf(GameProperty? property) =>
        property is null ? "" : string.Join(' ', new object[] { property.Name, property.Type.Kind, property.At }.Concat(property.Chain.Cast<object>()));

    [Fact]
    public void Read_OfStructsThatNestTenFold_IsBoundedByTheirValues()
    {
        var exception = Assert.Throws<NameFormatException>(() => PropertyMapFile.Read(Nested(30, 10)));
        Assert.Contains("structs.level6: The value has 1000000 numbers and texts in it; the limit is 262144.", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(33, "structs.level33: The value has 33 levels of structs and lists; the limit is 32.")]
    [InlineData(30_000, "structs.level33: The value has 33 levels of structs and lists; the limit is 32.")]
    [InlineData(50_000, "There are 100000 structs and fields; the limit is 65536.")]
    public void Read_OfStructsThatNestDeeply_IsBounded(int levels, string expected)
    {
        var exception = Assert.Throws<NameFormatException>(() => PropertyMapFile.Read(Nested(levels, 1)));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_OfStructsWithinTheLimits_CanBeAnswered()
    {
        var value = PropertyMapFile.Read(Nested(30, 1)).Find("p")!;
        Assert.Equal(30, value.Type.Cost.Depth);
        var json = JsonSerializer.Serialize(value.Type.Read(new byte[value.Type.Size]));
        Assert.InRange(json.Length, 30, value.Type.Cost.Characters);
    }

    [Theory]
    [InlineData(""" "structs":{"s":{"fields":{"f":{"at":0,"type":"u8","count":300000}}}} """, "300000 numbers and texts in it; the limit is 262144")]
    [InlineData(""" "textTables":{"t":{"codes":{"01":"123456789012345678901234567890123"}}} """, "A byte represents 33 characters; the limit is 32.")]
    [InlineData(""" "textTables":{TABLES} """, "There are 65 text tables; the limit is 64.")]
    [InlineData(""" "structs":{"LONG":{"fields":{"f":{"at":0,"type":"u8"}}}} """, "structs: A name has 201 characters; the limit is 200.")]
    [InlineData(""" "structs":{"s":{"fields":{"LONG":{"at":0,"type":"u8"}}}} """, "A name has 201 characters; the limit is 200.")]
    [InlineData(""" "structs":{"s":{"fields":{"f":{"at":0,"type":"text","length":65537}}}} """, "length is 1 to 65536 bytes.")]
    [InlineData(""" "structs":{"s":{"fields":{FIELDS}}} """, "There are 65537 structs and fields; the limit is 65536.")]
    [InlineData(""" "structs":DEEP """, "wrong kind")]
    public void Read_OfAMapThatIsTooLarge_SaysTheLimit(string map, string expected)
    {
        map = map.Replace("LONG", new string('n', 201), StringComparison.Ordinal)
            .Replace("TABLES", string.Join(',', Enumerable.Range(0, 65).Select(number => $"\"t{number}\":{{\"codes\":{{}}}}")), StringComparison.Ordinal)
            .Replace("FIELDS", string.Join(',', Enumerable.Range(0, 65_536).Select(number => $"\"f{number}\":{{\"at\":0,\"type\":\"u8\"}}")), StringComparison.Ordinal)
            .Replace("DEEP", new string('[', 100_000), StringComparison.Ordinal);
        var exception = Assert.Throws<NameFormatException>(() => PropertyMapFile.Read(Encoding.UTF8.GetBytes($"{{\"properties\":{{}},{map}}}")));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    /// <summary>A byte in so many structs, each of which has the one before so many times at the same place.</summary>
    private static byte[] Nested(int levels, int fold)
    {
        var structs = Enumerable.Range(1, levels).Select(level =>
        {
            var type = level == 1 ? "u8" : $"level{level - 1}";
            var fields = Enumerable.Range(0, fold).Select(number => $"\"f{number}\":{{\"at\":0,\"type\":\"{type}\"}}");
            return $"\"level{level}\":{{\"fields\":{{{string.Join(',', fields)}}}}}";
        });
        return Encoding.UTF8.GetBytes($"{{\"structs\":{{{string.Join(',', structs)}}},\"properties\":{{\"p\":{{\"type\":\"level{levels}\",\"at\":\"0x02000000\"}}}}}}");
    }
}
