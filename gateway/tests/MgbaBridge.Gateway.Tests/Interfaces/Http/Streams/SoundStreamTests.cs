using System.Buffers.Binary;
using System.Net;
using System.Runtime.InteropServices;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http.Streams;

/// <summary><c>GET /v2/sound</c> with the real core, which plays a square wave of 512 Hz.</summary>
public sealed class SoundStreamTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const int Header = 44;

    // a step of a band-limited wave is followed by small ones
    private const int Level = 2_000;

    [Fact]
    public async Task Seconds_AreAWholeFileOfThatLength()
    {
        var play = await shared.PlayAsync();
        await PlayToneAsync(play);

        using var response = await play.Client.GetAsync(new Uri("/v2/sound?seconds=0.5", UriKind.Relative), TestContext.Current.CancellationToken);
        var file = await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);

        Assert.Equal("audio/wav", response.Content.Headers.ContentType!.MediaType);
        Assert.Equal(Header + (24_000 * 4), file.Length);
        Assert.Equal("RIFF"u8, file.AsSpan(0, 4));
        Assert.Equal(file.Length - 8, BinaryPrimitives.ReadInt32LittleEndian(file.AsSpan(4)));
        Assert.Equal("WAVEfmt "u8, file.AsSpan(8, 8));
        Assert.Equal([16, 0x0002_0001, 48_000, 192_000, 0x0010_0004], MemoryMarshal.Cast<byte, int>(file.AsSpan(16, 20)));
        Assert.Equal("data"u8, file.AsSpan(36, 4));
        Assert.Equal(file.Length - Header, BinaryPrimitives.ReadInt32LittleEndian(file.AsSpan(40)));
        Assert.InRange(Rises(file.AsSpan(Header)), 230, 257);
    }

    [Fact]
    public async Task Opus_HasTheSameSound()
    {
        var play = await shared.PlayAsync();
        await PlayToneAsync(play);

        using var response = await play.Client.GetAsync(new Uri("/v2/sound?format=opus&seconds=1", UriKind.Relative), TestContext.Current.CancellationToken);
        var file = await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);

        Assert.Equal("audio/ogg", response.Content.Headers.ContentType!.MediaType);
        Assert.InRange(file.Length, 4_000, 20_000); // 96 kbit/s, and the pages
        var decoded = await MediaProgram.RunOnAsync("ffmpeg", file, "-f", "s16le", "-");
        Assert.Equal(48_000 * 4, decoded.Length);
        Assert.InRange(Rises(decoded), 490, 514);
    }

    [Fact]
    public async Task WithoutALength_LastsUntilTheCallerLeaves()
    {
        var play = await shared.PlayAsync();
        await PlayToneAsync(play);
        using var response = await play.Client.GetAsync(new Uri("/v2/sound", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken);
        await using var stream = await response.Content.ReadAsStreamAsync(TestContext.Current.CancellationToken);
        var file = new byte[Header + 192_000];

        await stream.ReadExactlyAsync(file, TestContext.Current.CancellationToken);

        Assert.Equal(uint.MaxValue, BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(4)));
        Assert.Equal(uint.MaxValue, BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(40)));
        Assert.InRange(Rises(file.AsSpan(Header)), 490, 514);
    }

    [Theory]
    [InlineData("seconds=0", "seconds is \"0\"; expected a number from 0.1 to 3600.")]
    [InlineData("seconds=long", "seconds is \"long\"; expected a number from 0.1 to 3600.")]
    [InlineData("format=mp3", "format is \"mp3\"; expected wav or opus.")]
    [InlineData("format=opus&bitrate=8", "bitrate is \"8\"; expected an integer from 16 to 256.")]
    [InlineData("second=1", "Did you mean seconds?")]
    public async Task WrongQuery_IsRefused(string query, string expected)
    {
        var body = await (await shared.PlayAsync()).SendAsync(HttpMethod.Get, $"/v2/sound?{query}", status: HttpStatusCode.BadRequest);

        Assert.Contains(expected, body.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    /// <summary>The registers of the first channel.</summary>
    internal static async Task PlayToneAsync(Play play)
    {
        foreach (var (register, value) in ((string, int)[])[("84", 0x80), ("80", 0xFF77), ("82", 2), ("62", 0xF080), ("64", 0x8000 + 2048 - 256)])
        {
            await play.SendAsync(HttpMethod.Put, $"/v2/memory/0x040000{register}/u16", $$"""{"value":{{value}}}""");
        }
    }

    private static int Rises(ReadOnlySpan<byte> file)
    {
        var samples = MemoryMarshal.Cast<byte, short>(file);
        var (rises, isHigh) = (0, false);
        for (var index = 0; index < samples.Length; index += 2)
        {
            rises += !isHigh && samples[index] > Level ? 1 : 0;
            isHigh = isHigh ? samples[index] >= -Level : samples[index] > Level;
        }

        return rises;
    }
}
