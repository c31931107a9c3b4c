using System.Buffers;
using System.IO.Compression;
using System.Net;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.States;

public sealed class StateOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    [Fact]
    public async Task State_DownAndUp_TakesTheGameBack()
    {
        await using var play = await Play.StartAsync();
        using var down = await play.RawAsync(HttpMethod.Get, "/v2/state");
        var state = await down.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        var before = await play.ReadAsync(Play.FrameCounter);
        await play.WaitAsync(120);
        await play.Emulator.ControlAsync("pause"); // no frame runs between what follows
        using var up = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(state));
        Assert.Equal(HttpStatusCode.OK, up.StatusCode);
        Assert.True(await play.ReadAsync(Play.FrameCounter) < before + 120);
        foreach (var wrong in new byte[][] { Encoding.UTF8.GetBytes("no state"), new byte[5_000], state[..(state.Length / 2)] })
        {
            using var refused = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(wrong));
            Assert.Equal(HttpStatusCode.UnprocessableEntity, refused.StatusCode);
        }

        using var badFlags = await play.RawAsync(HttpMethod.Get, "/v2/state?flags=32");
        Assert.Equal(HttpStatusCode.BadRequest, badFlags.StatusCode);
    }

    /// <summary>As other programs keep the states of mGBA's core.</summary>
    [Theory]
    [InlineData("gzip")]
    [InlineData("RetroArch")]
    [InlineData("RetroArch, compressed")]
    [InlineData("RetroArch, compressed, gzip")]
    public async Task State_InAContainer_IsLoaded(string container)
    {
        await using var play = await Play.StartAsync();
        using var down = await play.RawAsync(HttpMethod.Get, "/v2/state");
        var state = await down.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        var before = await play.ReadAsync(Play.FrameCounter);
        await play.WaitAsync(120);
        await play.Emulator.ControlAsync("pause"); // no frame runs between what follows
        using var up = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(Contained(state, container)));
        Assert.Equal((HttpStatusCode.OK, ""), (up.StatusCode, up.IsSuccessStatusCode ? "" : await up.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)));
        Assert.True(await play.ReadAsync(Play.FrameCounter) < before + 120);
    }

    [Theory]
    [InlineData("VBA", "gzip", "are a state of VisualBoyAdvance; save in the game there")]
    [InlineData("VBA", "RetroArch", "are a state of RetroArch, of another core than mGBA; save in the game there")]
    [InlineData("VBA", "RetroArch, compressed", "are a state of RetroArch, of another core than mGBA; save in the game there")]
    [InlineData("Mednafen", "gzip", "are a state of Mednafen; save in the game there")]
    [InlineData("save", "gzip", "give them to the game as save data")]
    public async Task State_OfAnotherEmulator_IsNamed(string content, string container, string expected)
    {
        var play = await shared.PlayAsync();
        byte[] state = content switch
        {
            "VBA" => [10, 0, 0, 0, .. "SOME TITLE\0\0\0\0\0\0"u8, .. new byte[400_000]],
            "Mednafen" => [.. "MDFNSVST"u8, .. new byte[1_000]],
            _ => new byte[32_768],
        };
        using var up = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(Contained(state, container)));
        Assert.Equal(HttpStatusCode.UnprocessableEntity, up.StatusCode);
        Assert.Contains(expected, await up.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("gzip", 0, "compressed by gzip, and damaged or cut off")]
    [InlineData("gzip", 1, "compressed by gzip, and damaged or cut off")]
    [InlineData("gzip", 8, "compressed by gzip, and damaged or cut off")]
    [InlineData("gzip", 1_000, "compressed by gzip, and damaged or cut off")]
    [InlineData("RetroArch", 100_000, "a state of RetroArch, and damaged or cut off")]
    [InlineData("RetroArch, compressed", 9, "compressed by RetroArch, and damaged or cut off")]
    [InlineData("RetroArch, compressed, gzip", 8, "compressed by gzip, and damaged or cut off")]
    public async Task State_InADamagedContainer_IsRefusedWithWhatIsWrong(string container, int missing, string expected)
    {
        var play = await shared.PlayAsync();
        using var down = await play.RawAsync(HttpMethod.Get, "/v2/state");
        var state = Contained(await down.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken), container)[..^missing];
        if (missing == 0)
        {
            state[^5] ^= 1; // in the checksum
        }

        using var up = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(state));
        var problem = await up.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, up.StatusCode);
        Assert.Contains(expected, problem, StringComparison.Ordinal);
        Assert.Contains("not-a-state", problem, StringComparison.Ordinal);
        var item = await play.SendAsync(HttpMethod.Post, "/v2/batch", $$"""{"items":[{"loadState":"{{Convert.ToBase64String(state)}}"}]}""", status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, item.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void State_InAContainerThatNeverWasWhole_IsRefused()
    {
        foreach (var (state, expected) in ((byte[], string)[])
        [
            (Contained(new byte[64 << 20], "gzip"), "more than 4194304 bytes when unpacked"),
            ([.. "RASTATE\u0001MEM "u8, 0xFF, 0xFF, 0xFF, 0xFF, 1], "damaged or cut off"),
            ([.. "RASTATE\u0001"u8], "damaged or cut off"),
            ([.. "#RZIPv\u0001#"u8], "damaged or cut off"),
            ([0x1F, 0x8B], "damaged or cut off"),
            ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 1], "damaged or cut off"),
        ])
        {
            Assert.Contains(expected, StateContainer.Unpack(new ReadOnlySequence<byte>(state)).Problem, StringComparison.Ordinal);
        }
    }

    internal static byte[] Contained(byte[] state, string container)
    {
        if (container.EndsWith("gzip", StringComparison.Ordinal))
        {
            var content = container == "gzip" ? state : Contained(state, container[..container.LastIndexOf(',')]);
            using var packed = new MemoryStream();
            using (var gzip = new GZipStream(packed, CompressionLevel.Fastest))
            {
                gzip.Write(content);
            }

            return packed.ToArray();
        }

        byte[] whole = [.. "RASTATE\u0001ACHV"u8, 3, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, .. "MEM "u8, .. BitConverter.GetBytes(state.Length), .. state, .. "END \0\0\0\0"u8];
        return container == "RetroArch" ? whole : Compressed(whole);
    }

    internal static byte[] Compressed(byte[] whole)
    {
        using var chunks = new MemoryStream();
        chunks.Write([.. "#RZIPv\u0001#"u8, .. BitConverter.GetBytes(131_072), .. BitConverter.GetBytes((long)whole.Length)]);
        foreach (var chunk in whole.Chunk(131_072))
        {
            using var packed = new MemoryStream();
            using (var zlib = new ZLibStream(packed, CompressionLevel.Fastest))
            {
                zlib.Write(chunk);
            }

            chunks.Write([.. BitConverter.GetBytes((int)packed.ToArray().Length), .. packed.ToArray()]);
        }

        return chunks.ToArray();
    }

    [Fact]
    public async Task States_InSlotsAndFiles_AreKept()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/state/save", """{"slot":3}""");
        await play.SendAsync(HttpMethod.Put, "/v2/state?slot=3&flags=29");
        await play.SendAsync(HttpMethod.Put, "/v2/state?slot=7", status: HttpStatusCode.NotFound);
        await play.SendAsync(HttpMethod.Put, "/v2/state?slot=10", status: HttpStatusCode.BadRequest);
        await play.SendAsync(HttpMethod.Post, "/v2/state/save", """{"file":"a, b.ss"}""");
        Assert.True(File.Exists(Path.Combine(play.Folder, "a, b.ss")));
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=a,%20b.ss");
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=../x.ss", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=/etc/passwd", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=x&slot=1", status: HttpStatusCode.BadRequest);
        var missing = await play.SendAsync(HttpMethod.Put, "/v2/state", status: HttpStatusCode.BadRequest);
        Assert.Contains("send its bytes, or name a slot or a file", missing.GetProperty("detail").GetString(), StringComparison.Ordinal);
        using var both = await play.RawAsync(HttpMethod.Put, "/v2/state?slot=3", Play.Bytes([1]));
        Assert.Equal(HttpStatusCode.BadRequest, both.StatusCode);

        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.DoAsync("state.save", """{"slot":4}""");
        await socket.DoAsync("state.load", """{"slot":4}""");
    }
}
