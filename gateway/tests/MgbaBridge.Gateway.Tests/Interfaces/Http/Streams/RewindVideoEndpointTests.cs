using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http.Streams;

/// <summary><c>POST /v2/rewind/video</c>.</summary>
public sealed class RewindVideoEndpointTests
{
    [Fact]
    public async Task Video_OfTheLastSeconds_HasEachFrameAsTheGameShowedIt()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        foreach (var (register, value) in ((string, int)[])[("0x04000084", 0x0080), ("0x04000080", 0xFF77), ("0x04000082", 2), ("0x04000062", 0xF080), ("0x04000064", 0x86D6)])
        {
            await gateway.SendAsync(HttpMethod.Put, $"/v2/memory/{register}/u16", string.Create(CultureInfo.InvariantCulture, $$"""{"value":{{value}}}"""));
        }

        await BeginAsync(gateway);
        var points = await PointsAsync(gateway);
        var seen = new Dictionary<long, byte[]>();
        await gateway.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"A 3, wait 5, A+Right 7, wait 30, Start 2"}""");
        for (var count = 0; count < 20; count++)
        {
            var (frame, png) = await ScreenAsync(gateway);
            seen[frame] = png;
        }

        using var response = await PostAsync(gateway.Client, "?format=mkv&seconds=60");
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        var video = await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        var frames = await FramesAsync(video);
        var last = long.Parse(response.Headers.GetValues("Mgba-Frame").Single(), CultureInfo.InvariantCulture);
        var first = last - frames.Count;
        Assert.Equal(0, DeviationsOf(response));
        Assert.Contains(first, points); // not the first one of all when its keys were not known yet
        var sound = await MediaProgram.RunOnAsync("ffmpeg", video, "-vn", "-f", "s16le", "-");
        Assert.Equal(frames.Count * 48_000L * 4_389 / 262_144, sound.Length / 4);
        Assert.All(sound.Chunk(sound.Length / 20).Take(20), static part => Assert.Contains(part, static value => value is not 0)); // the tone, everywhere
        Assert.NotEmpty(seen);
        foreach (var (frame, png) in seen.Where(one => one.Key > first))
        {
            Assert.True(PngFile.TryRead(png, out var picture));
            using (picture)
            {
                Assert.Equal(System.Buffers.BuffersExtensions.ToArray(picture.Rgb), frames[(int)(frame - first - 1)]);
            }
        }
    }

    [Fact]
    public async Task Video_AcrossALoadedStateAndAReset_GoesOnFromThere()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await BeginAsync(gateway);
        var first = (await PointsAsync(gateway))[0];
        await gateway.SendAsync(HttpMethod.Post, "/v2/states", """{"name":"before"}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"A 3, wait 5, A+Right 7, wait 20","wait":true}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/states/before/load");
        await gateway.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"B 3, wait 20","wait":true}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/reset");
        await gateway.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"B 3, wait 20","wait":true}""");

        using var response = await PostAsync(gateway.Client, "?format=mkv&seconds=60");
        var video = await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        Assert.True(response.StatusCode == HttpStatusCode.OK, Encoding.UTF8.GetString(video));
        var last = long.Parse(response.Headers.GetValues("Mgba-Frame").Single(), CultureInfo.InvariantCulture);
        Assert.InRange((await FramesAsync(video)).Count, 40, last - first - 1);
        Assert.Equal(0, DeviationsOf(response));
    }

    [Fact]
    public async Task Video_OfAGameThatWasChangedOtherwise_ContinuesFromItsStates()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await BeginAsync(gateway);
        foreach (var value in (int[])[128, 0, 128]) // a white picture, a black one, a white one
        {
            await gateway.SendAsync(HttpMethod.Put, "/v2/memory/0x04000000/u16", string.Create(CultureInfo.InvariantCulture, $$"""{"value":{{value}}}"""));
            await gateway.SendAsync(HttpMethod.Post, "/v2/wait", """{"frames":30}""");
        }

        using var response = await PostAsync(gateway.Client, "?format=mkv");
        var frames = await FramesAsync(await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken));
        var last = long.Parse(response.Headers.GetValues("Mgba-Frame").Single(), CultureInfo.InvariantCulture);
        Assert.Equal(3, DeviationsOf(response));
        Assert.Contains(last - frames.Count, await PointsAsync(gateway)); // none is left out
        Assert.All(frames.TakeLast(15), static frame => Assert.Equal(-1, frame.AsSpan().IndexOfAnyExcept((byte)255)));
        Assert.True(frames.Count(static frame => frame.AsSpan().IndexOfAnyExcept((byte)0) < 0) >= 15, "the black pictures are missing");
    }

    [Fact]
    public async Task Video_OfAGameThatIsTilted_IsThatOfItsSensors()
    {
        var folder = OwnedGateway.Prepare();
        var rom = Path.Combine(folder.FullName, "roms", "tilt.gb");
        File.Copy(Repository.File("headless/roms/tilt.gb"), rom);
        await using var gateway = await OwnedGateway.StartAsync(folder, 0, ("Owned:Roms:0", rom));
        await Eventually.IsAsync(async () => (await gateway.Client.GetAsync("/v2/game", TestContext.Current.CancellationToken)).IsSuccessStatusCode);
        await gateway.SendAsync(HttpMethod.Put, "/v2/sensors", """{"tilt":[-10,0]}""");
        await BeginAsync(gateway);
        await gateway.SendAsync(HttpMethod.Put, "/v2/sensors", """{"tilt":[30,0]}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"wait 25, tilt -60/20 30, wait 15","wait":true}""");

        using var response = await PostAsync(gateway.Client, "?format=mkv&seconds=60");
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(0, DeviationsOf(response));
    }

    [Fact]
    public async Task Video_WithoutKeptStates_IsRefused()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await RefusedAsync(gateway.Client, HttpStatusCode.NotFound, "No states are kept of this emulator.");

        await using var play = await Play.StartAsync();
        await play.AskGatewayAsync(HttpMethod.Put, "/v2/rewind", "{}");
        await RefusedAsync(play.Client, HttpStatusCode.NotImplemented, "The gateway did not start this emulator");
    }

    private static async Task BeginAsync(OwnedGateway gateway)
    {
        await gateway.SendAsync(HttpMethod.Put, "/v2/rewind", """{"every":10,"points":1000}""");
        await Eventually.IsAsync(async () => (await PointsAsync(gateway)).Count > 3);
    }

    private static async Task<IReadOnlyList<long>> PointsAsync(OwnedGateway gateway) =>
        [.. (await gateway.GetAsync("/v2/rewind")).GetProperty("points").EnumerateArray().Select(static point => point.GetProperty("frame").GetInt64())];

    private static async Task<(long Frame, byte[] Png)> ScreenAsync(OwnedGateway gateway)
    {
        using var response = await gateway.Client.GetAsync("/v2/screen", TestContext.Current.CancellationToken);
        return (long.Parse(response.Headers.GetValues("Mgba-Frame").Single(), CultureInfo.InvariantCulture), await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken));
    }

    private static int DeviationsOf(HttpResponseMessage response) => int.Parse(response.Headers.GetValues("Mgba-Deviations").Single(), CultureInfo.InvariantCulture);

    private static async Task<IReadOnlyList<byte[]>> FramesAsync(byte[] video) =>
        [.. (await MediaProgram.RunOnAsync("ffmpeg", video, "-f", "rawvideo", "-pix_fmt", "rgb24", "-")).Chunk(240 * 160 * 3)];

    private static Task<HttpResponseMessage> PostAsync(HttpClient client, string query = "") =>
        client.PostAsync($"/v2/rewind/video{query}", null, TestContext.Current.CancellationToken);

    private static async Task RefusedAsync(HttpClient client, HttpStatusCode status, string detail)
    {
        using var response = await PostAsync(client);
        var problem = JsonDocument.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
        Assert.Equal(status, response.StatusCode);
        Assert.Contains(detail, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }
}
