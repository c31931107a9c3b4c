using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Rendering;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Rendering;

public sealed class OggOpusFileTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(960)]
    [InlineData(4_800)]
    [InlineData(12_345)]
    public async Task File_HasAsManySamplesAsItWasGiven(int pairs)
    {
        var output = new ArrayBufferWriter<byte>();
        using (var file = new OggOpusFile(96_000))
        {
            file.Begin(output, pairs);
            for (var left = pairs; left > 0; left -= 804)
            {
                file.Write(output, new byte[Math.Min(left, 804) * 4]);
            }

            file.Complete(output);
        }

        var stream = await MediaProgram.RunOnAsync("ffprobe", output.WrittenMemory, "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "csv=p=0");
        Assert.Equal("opus,48000,2", Encoding.UTF8.GetString(stream).Trim());
        Assert.Equal(pairs * 4, (await MediaProgram.RunOnAsync("ffmpeg", output.WrittenMemory, "-f", "s16le", "-")).Length);
    }
}
