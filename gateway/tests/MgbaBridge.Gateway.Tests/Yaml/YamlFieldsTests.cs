using MgbaBridge.Engines.Yaml;

namespace MgbaBridge.Gateway.Tests.Yaml;

public sealed class YamlFieldsTests
{
    [Theory]
    [InlineData("a: b + c", 4, 1, 8)]
    [InlineData("x: 1\na: 'b + c'", 4, 2, 9)]
    [InlineData("a: \"b + c\"", 4, 1, 9)]
    [InlineData("a: >\n  b +\n  c", 4, 1, 4)] // on several lines: where the text begins
    public void Character_OfAText_HasItsLineAndColumn(string yaml, int character, int line, int column)
    {
        var wrong = Of(yaml).Wrong("a", character, "wrong");
        Assert.Equal((line, column, "wrong"), (wrong.Line, wrong.Column, wrong.Message));
    }

    [Theory]
    [InlineData("a: '{b}'", null, "{b}")]
    [InlineData("a: '{b} {b}'", "c", "c c")]
    public void Braces_OfAText_AreReplacedWhereThereAreTexts(string yaml, string? text, string expected) =>
        Assert.Equal(expected, Of(yaml, text is null ? null : new Dictionary<string, string> { ["b"] = text }).Text("a"));

    [Theory]
    [InlineData("", 1, 1, "One YAML document is expected.")]
    [InlineData("a: 1\n---\na: 2", 1, 1, "One YAML document is expected.")]
    [InlineData("[1]", 1, 1, "Fields are expected here: a, x.")]
    [InlineData("x: 1\nb: 2", 2, 1, "There is no field \"b\" here. Did you mean a? The fields are a, x.")]
    public void Document_ThatIsWrong_IsRefusedWithItsPlace(string yaml, int line, int column, string reason)
    {
        var wrong = Assert.Throws<YamlFormatException>(() => Of(yaml));
        Assert.Equal((line, column, reason), (wrong.Line, wrong.Column, wrong.Message));
    }

    private static YamlFields Of(string yaml, IReadOnlyDictionary<string, string>? texts = null)
    {
        using var reader = new StringReader(yaml);
        return new YamlFields(YamlText.Read(reader), ["a", "x"], texts);
    }
}
