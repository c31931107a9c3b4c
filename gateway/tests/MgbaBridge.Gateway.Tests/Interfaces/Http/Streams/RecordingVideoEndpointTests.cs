using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Interfaces.Http.Streams;
using MgbaBridge.Gateway.Rendering;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http.Streams;

/// <summary><c>POST /v2/recordings/{recording}/video</c>.</summary>
public sealed class RecordingVideoEndpointTests
{
    [Fact]
    public async Task Video_OfARecording_HasItsFramesAndItsSound()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        var (id, frames) = await RecordAsync(gateway);

        using var response = await PostAsync(gateway.Client, id);
        Assert.Equal((HttpStatusCode.OK, "video/mp4"), (response.StatusCode, response.Content.Headers.ContentType?.MediaType));
        var video = await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        Assert.Equal(video.Length, response.Content.Headers.ContentLength);
        var probed = await MediaProgram.RunOnAsync("ffprobe", video, "-count_frames", "-select_streams", "v", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0");
        Assert.Equal(string.Create(CultureInfo.InvariantCulture, $"960,640,{frames}"), Encoding.UTF8.GetString(probed).Trim());

        // AAC begins with the encoder's delay, and ends with a whole block
        var samples = (await MediaProgram.RunOnAsync("ffmpeg", video, "-vn", "-f", "s16le", "-")).Length / 4;
        Assert.InRange(samples - (frames * 48_000 * 4_389 / 262_144), -1_024, 2_048);

        using var lossless = await PostAsync(gateway.Client, id, "?format=mkv");
        Assert.Equal((HttpStatusCode.OK, "video/x-matroska"), (lossless.StatusCode, lossless.Content.Headers.ContentType?.MediaType));
    }

    [Fact]
    public async Task Video_OfWhatIsNotThere_IsRefused()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        var (id, _) = await RecordAsync(gateway);
        await RefusedAsync(gateway.Client, "none", "", HttpStatusCode.NotFound, "There is no recording none.");
        await RefusedAsync(gateway.Client, id, "?format=avi", HttpStatusCode.BadRequest, "mp4");

        // another ROM at its place
        File.Copy(Path.Combine(gateway.Roms, "test.gb"), Path.Combine(gateway.Roms, "test.gba"), overwrite: true);
        await RefusedAsync(gateway.Client, id, "", HttpStatusCode.UnprocessableEntity, "is another ROM than that of the recording");
    }

    [Fact]
    public async Task Video_OfAnEmulatorThatTheGatewayDidNotStart_IsRefused()
    {
        await using var play = await Play.StartAsync();
        var id = (await play.AskGatewayAsync(HttpMethod.Post, "/v2/recordings", "{}")).GetProperty("id").GetString()!;
        await RefusedAsync(play.Client, id, "", HttpStatusCode.NotImplemented, "The gateway did not start this emulator");
    }

    [Theory]
    [InlineData(nameof(RenderingFailure.ProgramMissing), 501, "unsupported")]
    [InlineData(nameof(RenderingFailure.TooLong), 413, "too-large")]
    [InlineData(nameof(RenderingFailure.Busy), 429, "too-many-requests")]
    [InlineData(nameof(RenderingFailure.NotPossible), 422, "no-video")]
    public void Failure_OfEachKind_HasItsProblem(string kind, int status, string name)
    {
        var failure = VideoResponse.FailureOf(new RenderingException("why") { Failure = Enum.Parse<RenderingFailure>(kind) });
        Assert.Equal((status, name, "why"), (failure.Kind.Status, failure.Kind.Name, failure.Detail));
    }

    private static async Task<(string Id, long Frames)> RecordAsync(OwnedGateway gateway)
    {
        var id = (await gateway.SendAsync(HttpMethod.Post, "/v2/recordings", "{}")).GetProperty("id").GetString()!;
        await gateway.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"A 3, wait 5, A+Right 7, wait 30","wait":true}""");
        var stopped = await gateway.SendAsync(HttpMethod.Post, $"/v2/recordings/{id}/stop");
        return (id, stopped.GetProperty("last").GetInt64() - stopped.GetProperty("frame").GetInt64());
    }

    private static Task<HttpResponseMessage> PostAsync(HttpClient client, string id, string query = "") =>
        client.PostAsync($"/v2/recordings/{id}/video{query}", null, TestContext.Current.CancellationToken);

    private static async Task RefusedAsync(HttpClient client, string id, string query, HttpStatusCode status, string detail)
    {
        using var response = await PostAsync(client, id, query);
        var problem = JsonDocument.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
        Assert.Equal(status, response.StatusCode);
        Assert.Contains(detail, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }
}
