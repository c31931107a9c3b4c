using System.Globalization;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Makes a video of recordings and sends it from the disk.</summary>
internal static class VideoResponse
{
    /// <summary>The form that a caller asks for.</summary>
    public static Parameter<VideoForm> Form { get; } =
        Parameter.Choice<VideoForm>("format", "H.264 and AAC, VP9 and Opus, or H.264 and FLAC without loss. The last has the game's size, the others four times it.").Or(VideoForm.Mp4).InQuery();

    /// <summary>What a response may have.</summary>
    public static IReadOnlyList<Content> Contents { get; } = [.. VideoFormat.MediaTypes.Select(static type => Content.Bytes(type))];

    /// <summary>What statuses of videos mean.</summary>
    public static IReadOnlyList<StatusNote> Statuses { get; } =
    [
        (FailureKind.NoVideo, "memory differs from a hash of the recording, or ffmpeg failed."),
        (FailureKind.TooManyRequests, "another video is being made."),
        (FailureKind.Unsupported, "ffmpeg or mgba-headless is not installed, or the gateway did not start the emulator."),
    ];

    /// <summary>One of what <paramref name="read"/> returns.</summary>
    public static Result<HttpResult> Of(Invocation invocation, VideoForm form, Func<CancellationToken, Task<(IReadOnlyList<RecordedGame> Recorded, Failure? Failure)>> read)
    {
        if (invocation.Get<Supervisor>().Find(invocation.Emulator.Id) is not { } owned)
        {
            return new Failure(FailureKind.Unsupported, "The gateway did not start this emulator, and does not know the file of its ROM. Download a recording; mgba-bridge record video makes a video of it.");
        }

        var stream = EmulatorStream.Of(invocation.Emulator, (http, over) => SendAsync(http, owned.Request, form, read, over));
        return new HttpResult(async http =>
        {
            var failure = await stream.SendAsync(http);
            if (failure is null && http.Response is { HasStarted: false, StatusCode: StatusCodes.Status200OK })
            {
                http.Abort(); // the gateway stops, or the token was withdrawn
            }

            return failure;
        });
    }

    internal static Failure FailureOf(RenderingException exception) => exception.Failure switch
    {
        RenderingFailure.ProgramMissing => new Failure(FailureKind.Unsupported, exception.Message),
        RenderingFailure.TooLong => new Failure(FailureKind.TooLarge, exception.Message),
        RenderingFailure.Busy => new Failure(FailureKind.TooManyRequests, exception.Message),
        _ => new Failure(FailureKind.NoVideo, exception.Message),
    };

    private static async Task<Failure?> SendAsync(
        HttpContext http, EmulatorRequest game, VideoForm form, Func<CancellationToken, Task<(IReadOnlyList<RecordedGame> Recorded, Failure? Failure)>> read, CancellationToken over)
    {
        try
        {
            var (recorded, failure) = await read(over);
            if (failure is not null)
            {
                return failure;
            }

            await http.RequestServices.GetRequiredService<RecordingVideos>().MakeAsync(game.Rom, game.Options, recorded, form, async (video, cancelled) =>
            {
                var last = recorded[^1];
                http.Response.Headers[Headers.Frame] = (last.Header.Frame + last.Frames).ToString(CultureInfo.InvariantCulture);
                http.Response.ContentType = VideoFormat.Of(form).MediaType;
                http.Response.Headers[Headers.Deviations] = video.Deviations.ToString(CultureInfo.InvariantCulture);
                http.Response.ContentLength = new FileInfo(video.File).Length;
                http.Response.Headers.CacheControl = "no-store";
                await http.Response.SendFileAsync(video.File, cancelled);
            }, over);
            return null;
        }
        catch (RenderingException exception) when (!http.Response.HasStarted)
        {
            return FailureOf(exception);
        }
    }
}
