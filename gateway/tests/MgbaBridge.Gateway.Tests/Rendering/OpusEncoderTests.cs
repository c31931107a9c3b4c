using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Tests.Rendering;

public sealed class OpusEncoderTests
{
    [Fact]
    public void Library_ThatIsMissing_IsNamedWithItsPackage()
    {
        Assert.Contains("sudo apt install libopus0", OpusEncoder.IsMissing(isLinux: true, static _ => false), StringComparison.Ordinal);
        Assert.Null(OpusEncoder.IsMissing(isLinux: true, static library => library == "libopus.so.0"));
    }

    [Fact]
    public void Bitrate_LimitsTheBytesOfNoise()
    {
        Assert.InRange(BytesOfASecond(32_000), 3_000, 5_000);
        Assert.InRange(BytesOfASecond(128_000), 12_000, 20_000);
    }

    private static int BytesOfASecond(int bitsPerSecond)
    {
        using var encoder = OpusEncoder.Create(48_000, bitsPerSecond);
        var (random, samples, packet) = (new Random(1), new short[2 * 960], new byte[OpusEncoder.MaxPacket]);
        return Enumerable.Range(0, 50).Sum(_ =>
        {
            for (var index = 0; index < samples.Length; index++)
            {
                samples[index] = (short)random.Next(-8_000, 8_000);
            }

            return encoder.Encode(samples, packet);
        });
    }
}
