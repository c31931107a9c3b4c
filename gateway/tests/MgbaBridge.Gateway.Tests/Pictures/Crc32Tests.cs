using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Gateway.Tests.Pictures;

public sealed class Crc32Tests
{
    [Fact]
    public void Crc32_OfTheCheckOfItsCatalogue_IsThatOfIt() => Assert.Equal(0xCBF43926, Crc32.Of("123456789"u8));

    [Fact]
    public void Crc32_InParts_IsThatOfTheWhole()
    {
        var bytes = Enumerable.Range(0, 100).Select(static at => (byte)(at * 37)).ToArray();
        for (var cut = 0; cut <= bytes.Length; cut++)
        {
            Assert.Equal(Crc32.Of(bytes), ~Crc32.Add(Crc32.Add(Crc32.Start, bytes.AsSpan(0, cut)), bytes.AsSpan(cut)));
        }
    }
}
