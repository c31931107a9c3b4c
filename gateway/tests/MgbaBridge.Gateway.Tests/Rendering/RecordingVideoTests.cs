using System.Globalization;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Rendering;

public sealed class RecordingVideoTests : IDisposable
{
    private const string Rom = "headless/roms/mgba-bridge-test.gba";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-tests-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Video_OfARecording_HasItsFramesPicturesAndSound()
    {
        var recording = await RecordAsync();
        var lines = (await File.ReadAllLinesAsync(recording, TestContext.Current.CancellationToken)).Select(line => JsonNode.Parse(line)!).ToArray();
        var first = (long)lines[0]["frame"]!;
        var frames = (long)lines[^1]["frame"]! - first;

        foreach (var (name, size) in new[] { ("game.mkv", "240x160"), ("game.mp4", "960x640"), ("game.webm", "960x640") })
        {
            var file = PathOf(name);
            var said = await VerbRun.TextAsync("record", "video", recording, file, "--rom", Repository.File(Rom), "--json");
            Assert.Equal(frames, (long)JsonNode.Parse(said)!["frames"]!);
            Assert.Equal(
                string.Create(CultureInfo.InvariantCulture, $"{size} {frames}"),
                SizeAndFrames(await MediaProgram.RunAsync("ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", file)));

            // AAC begins with the encoder's delay, and ends with a whole block
            var samples = (await MediaProgram.RunAsync("ffmpeg", "-v", "error", "-i", file, "-vn", "-f", "s16le", "-")).Length / 4;
            Assert.InRange(samples - (frames * 48_000 * 4_389 / 262_144), name.EndsWith("mkv", StringComparison.Ordinal) ? 0 : -1_024, name.EndsWith("mkv", StringComparison.Ordinal) ? 0 : 2_048);
        }

        // the last picture that the recording has, without loss
        var last = lines.Last(line => line["picture"] is not null);
        Assert.True(PngFile.TryRead(Convert.FromBase64String((string)last["picture"]!), out var picture));
        var index = (long)last["frame"]! - first - 1;
        var shown = await MediaProgram.RunAsync("ffmpeg", "-v", "error", "-i", PathOf("game.mkv"), "-vf", string.Create(CultureInfo.InvariantCulture, $"select=eq(n\\,{index})"), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-");
        using (picture)
        {
            Assert.Equal(System.Buffers.BuffersExtensions.ToArray(picture.Rgb), shown);
        }
    }

    [Fact]
    public async Task Video_OfAnotherRomOrOfNoFrames_IsRefused()
    {
        var recording = await RecordAsync();

        var other = await VerbRun.OfAsync("record", "video", recording, PathOf("game.mp4"), "--rom", Repository.File("headless/roms/mgba-bridge-test.gb"));
        Assert.Equal(1, other.ExitCode);
        Assert.Contains("is another ROM than that of the recording, MGBABRIDGE", other.Error, StringComparison.Ordinal);

        var empty = PathOf("empty.jsonl");
        await File.WriteAllTextAsync(empty, (await File.ReadAllLinesAsync(recording, TestContext.Current.CancellationToken))[0] + "\n", TestContext.Current.CancellationToken);
        var none = await VerbRun.OfAsync("record", "video", empty, PathOf("game.mp4"), "--rom", Repository.File(Rom));
        Assert.Equal((1, true), (none.ExitCode, none.Error.Contains("The recording has no frames.", StringComparison.Ordinal)));

        var form = await VerbRun.OfAsync("record", "video", recording, PathOf("game.avi"), "--rom", Repository.File(Rom));
        Assert.Equal(2, form.ExitCode);
        Assert.Contains(".mp4, .webm, .mkv", form.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(PathOf("game.mp4")));
    }

    private async Task<string> RecordAsync()
    {
        // slowly: a picture that comes later than its frame is not recorded
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(framesPerSecond: 15));
        var id = (await play.AskGatewayAsync(HttpMethod.Post, "/v2/recordings", """{"hashEvery":5}""")).GetProperty("id").GetString();
        await play.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"A 3, wait 5, A+Right 7, wait 60","wait":true}""");
        await play.AskGatewayAsync(HttpMethod.Post, $"/v2/recordings/{id}/stop");
        var file = PathOf("game.jsonl");
        await File.WriteAllTextAsync(file, await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken), TestContext.Current.CancellationToken);
        return file;
    }

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);

    private static string SizeAndFrames(byte[] csv) => System.Text.Encoding.UTF8.GetString(csv).Trim() is var text && text.Split(',') is [var width, var height, var frames] ? $"{width}x{height} {frames}" : text;
}
