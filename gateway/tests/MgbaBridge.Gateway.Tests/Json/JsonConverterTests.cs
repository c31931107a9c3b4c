using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Tests.Json;

public sealed class JsonConverterTests
{
    private static readonly JsonSerializerOptions Options = new() { Converters = { new LocationConverter(), new KeySetConverter() } };

    [Theory]
    [InlineData("\"0x02000000\"", "\"0x02000000\"")]
    [InlineData("\"33554432\"", "\"0x02000000\"")]
    [InlineData("\"wram:16\"", "\"wram:0x10\"")]
    public void Location_InJson_IsWrittenInOneForm(string json, string expected) =>
        Assert.Equal(expected, JsonSerializer.Serialize(JsonSerializer.Deserialize<Location>(json, Options), Options));

    [Theory]
    [InlineData("[\"A\",\"Up\"]")]
    [InlineData("\"A+Up\"")]
    [InlineData("\"Up+A\"")]
    public void Keys_InJson_AreAListOrOneText(string json) =>
        Assert.Equal("[\"A\",\"Up\"]", JsonSerializer.Serialize(JsonSerializer.Deserialize<KeySet>(json, Options), Options));

    [Theory]
    [InlineData("[\"Z\"]", "\"Z\" is not a key")]
    [InlineData("[1]", "Keys are")]
    [InlineData("7", "Keys are")]
    public void Keys_ThatAreNone_AreNamed(string json, string expected) =>
        Assert.Contains(expected, Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<KeySet>(json, Options)).Message, StringComparison.Ordinal);

    [Fact]
    public void Epoch_InJson_HasEightDigits()
    {
        Assert.Equal("\"0000abcd\"", JsonSerializer.Serialize(new Epoch(0xABCD), Options));
        Assert.Equal(new Epoch(0xABCD), JsonSerializer.Deserialize<Epoch>("\"0000abcd\"", Options));
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<Epoch>("\"game\"", Options));
    }
}
