using MgbaBridge.Client.Transport;
using System.Buffers;
using System.Net;
using System.Net.Http.Headers;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Operations.Screen;

/// <summary>The picture in its forms, and what a caller has already. headless/roms/README.md says what is to be seen.</summary>
public sealed class ScreenOperationsTests
{
    private const string Holder = "viewer";

    [Fact]
    public async Task Screen_InEveryForm_ShowsTheSamePixels()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", Holder);
        using var plain = await GetAsync(play, "/v2/screen");
        Assert.True(PngFile.TryRead(await BytesOf(plain), out var picture));
        Assert.Equal((240, 160), (picture.Width, picture.Height));
        Assert.Equal([0xFF, 0, 0, 0x10, 0x21, 0x42], Rgb(picture)[..6]);
        Assert.Equal([0xFF, 0xFF, 0xFF], Rgb(picture)[^3..]);
        using var large = await GetAsync(play, "/v2/screen?scale=3");
        Assert.True(PngFile.TryRead(await BytesOf(large), out var scaled));
        using var squares = new MemoryStream();
        picture.WriteRows(squares, 3, default);
        Assert.Equal(squares.ToArray(), Rgb(scaled));
        using var raw = await GetAsync(play, "/v2/screen?format=raw");
        Assert.Equal(Rgb(picture), await BytesOf(raw));
        Assert.Equal(("240", "160"), (raw.Headers.GetValues("Mgba-Width").Single(), raw.Headers.GetValues("Mgba-Height").Single()));
        Assert.NotEqual(plain.Headers.ETag, raw.Headers.ETag);
        using var again = await GetAsync(play, "/v2/screen?format=raw", known: raw.Headers.ETag);
        Assert.Equal(HttpStatusCode.NotModified, again.StatusCode);
        using var head = await play.RawAsync(HttpMethod.Head, "/v2/screen");
        Assert.Equal((plain.Headers.ETag, 0), (head.Headers.ETag, (await BytesOf(head)).Length));
        foreach (var scale in new[] { "0", "9", "x", "-1" })
        {
            await play.SendAsync(HttpMethod.Get, $"/v2/screen?scale={scale}", status: HttpStatusCode.BadRequest);
        }
    }

    [Fact]
    public async Task Pixels_OfASmallerSizeInGrey_ComeFromHttpAndFromAStep()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);
        var step = await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1,"items":[{"pixels":{"grey":true,"width":84,"height":80}}]}""", Holder);
        using var colours = await GetAsync(play, "/v2/screen/pixels");
        using var raw = await GetAsync(play, "/v2/screen?format=raw");
        Assert.Equal(await BytesOf(raw), await BytesOf(colours));
        using var grey = await GetAsync(play, "/v2/screen/pixels?grey=true&width=84&height=80");
        Assert.Equal(("84", "80"), (grey.Headers.GetValues("Mgba-Width").Single(), grey.Headers.GetValues("Mgba-Height").Single()));
        var pixels = await BytesOf(grey);
        Assert.Equal(84 * 80, pixels.Length);
        Assert.Equal(pixels, step.GetProperty("results")[0].GetProperty("bytes").GetBytesFromBase64());
        var problem = await play.SendAsync(HttpMethod.Get, "/v2/screen/pixels?width=241", status: HttpStatusCode.BadRequest);
        Assert.Contains("width is 241; this picture has 240", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Get, "/v2/screen/pixels?width=0", status: HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Screen_ForTwoHundredAtOnceOneOfWhomReadsSlowly_IsSeenByAllWhileTheGameGoesOn()
    {
        const int Readers = 199, MaxBytes = 240 * 160 * 3 * 8 * 8;
        await using var play = await Play.StartAsync(services => services.Registered<TransportSettings>().Now.WaitTimeout = TimeSpan.FromSeconds(30));

        // seven megabytes are more than fits between the two ends, so this answer stays half sent
        using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/screen?scale=8&format=raw");
        using var slow = await play.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken);
        await using var bytes = await slow.Content.ReadAsStreamAsync(TestContext.Current.CancellationToken);
        var first = bytes.ReadByte();
        Assert.Equal(0xFF, first);
        var begun = (await play.GetAsync("/v2/keys")).GetProperty("frame").GetInt64();
        await Task.WhenAll(Enumerable.Range(0, Readers).Select(async _ =>
        {
            using var answer = await GetAsync(play, "/v2/screen");
            Assert.True(PngFile.TryRead(await BytesOf(answer), out var picture), $"{answer.StatusCode}");
            Assert.Equal((240, 160), (picture.Width, picture.Height));
        }));
        await play.WaitAsync(60);
        Assert.True((await play.GetAsync("/v2/keys")).GetProperty("frame").GetInt64() >= begun + 60);
        using var rest = new MemoryStream();
        await bytes.CopyToAsync(rest, TestContext.Current.CancellationToken);
        Assert.Equal(MaxBytes - 1, rest.Length);
    }

    [Fact]
    public async Task State_ThatTheCallerHas_IsNotSentAgain()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", Holder);
        using var first = await GetAsync(play, "/v2/state?flags=14");
        using var head = await play.RawAsync(HttpMethod.Head, "/v2/state?flags=14");
        Assert.Equal((first.Headers.ETag, (await BytesOf(first)).LongLength), (head.Headers.ETag, head.Content.Headers.ContentLength));
        using var same = await GetAsync(play, "/v2/state?flags=14", known: first.Headers.ETag);
        Assert.Equal((HttpStatusCode.NotModified, 0), (same.StatusCode, (await BytesOf(same)).Length));
        // a write within the same frame makes it another state
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u8", """{"value":7}""", Holder);
        using var other = await GetAsync(play, "/v2/state?flags=14", known: first.Headers.ETag);
        Assert.Equal(HttpStatusCode.OK, other.StatusCode);
    }

    [Fact]
    public async Task Screen_AfterALoadWhileNoFrameRuns_IsThatOfTheLoadedState()
    {
        await using var play = await Play.StartAsync();
        Assert.True(play.Gateway.Services.GetRequiredService<EmulatorRegistry>().TryGet(null, null, out var emulator));
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":60}""", Holder);
        var state = await play.Client.GetByteArrayAsync("/v2/state", TestContext.Current.CancellationToken);
        var (png, pixels) = (await PictureAsync("/v2/screen"), await PictureAsync("/v2/screen/pixels"));
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":60,"keys":["A","Up"]}""", Holder);
        using var later = await GetAsync(play, "/v2/screen");
        Assert.NotEqual(png, await BytesOf(later));
        using var viewer = emulator!.Pictures.Join(60);
        Assert.Equal(await BytesOf(later), (await viewer.Newest.ReadAsync(TestContext.Current.CancellationToken)).Png.ToArray());

        using (var loaded = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(state), Holder))
        {
            Assert.Equal(HttpStatusCode.OK, loaded.StatusCode);
        }

        using var after = await GetAsync(play, "/v2/screen", known: later.Headers.ETag);
        Assert.Equal((HttpStatusCode.OK, later.Headers.GetValues("Mgba-Frame").Single()), (after.StatusCode, after.Headers.GetValues("Mgba-Frame").Single()));
        Assert.Equal(png, await BytesOf(after));
        Assert.Equal(pixels, await PictureAsync("/v2/screen/pixels"));
        Assert.Equal(png, (await viewer.Newest.ReadAsync(TestContext.Current.CancellationToken)).Png.ToArray());

        async Task<byte[]> PictureAsync(string path)
        {
            using var picture = await GetAsync(play, path);
            return await BytesOf(picture);
        }
    }

    private static byte[] Rgb(Picture picture) => picture.Rgb.ToArray();

    private static async Task<HttpResponseMessage> GetAsync(Play play, string path, EntityTagHeaderValue? known = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (known is not null)
        {
            request.Headers.IfNoneMatch.Add(known);
        }

        return await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
    }

    private static Task<byte[]> BytesOf(HttpResponseMessage response) => response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);

    [Fact]
    public async Task Screen_WithATag_IsSentAgainOnlyInAnotherFrame()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", holder: "test");
        using var first = await play.RawAsync(HttpMethod.Get, "/v2/screen");
        var png = await first.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        Assert.Equal("image/png", first.Content.Headers.ContentType?.MediaType);
        Assert.Equal((240, 160), (png[19], png[23]));
        var tag = first.Headers.ETag!.ToString();
        using var head = await play.RawAsync(HttpMethod.Head, "/v2/screen");
        Assert.Equal((png.Length, tag), ((int)head.Content.Headers.ContentLength!, head.Headers.ETag!.ToString()));
        Assert.Empty(await head.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken));
        Assert.Equal(HttpStatusCode.NotModified, await IfNoneMatch(tag));
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", holder: "test");
        Assert.Equal(HttpStatusCode.OK, await IfNoneMatch(tag));

        async Task<HttpStatusCode> IfNoneMatch(string known)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/screen") { Headers = { { "If-None-Match", known } } };
            using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
            return response.StatusCode;
        }
    }
}
