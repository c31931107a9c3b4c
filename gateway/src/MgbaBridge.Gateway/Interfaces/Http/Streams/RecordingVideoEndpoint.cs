using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Recordings;
using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Makes a video of a recording, and sends it from the disk: it may have more bytes than the gateway keeps for a caller.</summary>
internal static class RecordingVideoEndpoint
{
    private static readonly Parameters<(string Recording, VideoForm Form)> Requests = Parameters.Of(
        RecordingOperations.Id,
        Parameter.Choice<VideoForm>("format", "H.264 and AAC, VP9 and Opus, or H.264 and FLAC without loss. The last has the game's size, the others four times it.").Or(VideoForm.Mp4),
        static (recording, form) => (recording, form));

    public static EndpointOperation Operation { get; } = new EndpointOperation<(string Recording, VideoForm Form)>(
        RecordingOperations.Resource, "recordings.video", RecordingOperations.One + "/video", Access.Play, Requests, ServeAsync, HttpMethods.Post)
    {
        Summary = "Make a video of a recording, with sound",
        Description = "Another emulator without a window plays the recording again, as fast as ffmpeg encodes; the game that is played now is not disturbed. It has each frame of the recording once. "
            + $"Only for emulators that the gateway started, whose ROM it knows. One video at a time, of at most {RecordingVideos.MaxMinutes} minutes of the game and {RecordingVideos.MaxBytes} bytes. "
            + "Disconnecting ends it.",
        UsesEmulator = false,
        IsEffect = false,
        Contents = [.. VideoFormat.MediaTypes.Select(static type => Content.Bytes(type))],
        Statuses =
        [
            (404, RecordingOperations.Gone),
            (RefusalKind.TooLarge, "the recording is too long."),
            (RefusalKind.NoVideo, "the game does something else than in the recording, or ffmpeg failed."),
            (429, "Another video is being made."),
            (RefusalKind.Unsupported, "ffmpeg or mgba-headless is not installed, or the gateway did not start the emulator."),
        ],
    };

    private static Task ServeAsync(HttpContext http, (string Recording, VideoForm Form) request) => http.WithEmulatorAsync(async (http, emulator) =>
    {
        if (http.RequestServices.GetRequiredService<RecordingStore>().Find(emulator, request.Recording) is not { } recorder)
        {
            await Problems.WriteAsync(http, emulator.Id, RecordingOperations.NotFound(request.Recording));
            return;
        }

        if (http.RequestServices.GetRequiredService<Supervisor>().Find(emulator.Id) is not { } owned)
        {
            await Problems.WriteAsync(http, emulator.Id, new Refusal(RefusalKind.Unsupported, "The gateway did not start this emulator, and does not know the file of its ROM. Download the recording; mgba-bridge record video makes a video of it."));
            return;
        }

        await EmulatorStream.ServeAsync(http, emulator, over => SendAsync(http, emulator, owned.Request, recorder, request.Form, over));
        if (http.Response is { HasStarted: false, StatusCode: StatusCodes.Status200OK })
        {
            http.Abort(); // the gateway stops, or the token was withdrawn
        }
    });

    private static async Task SendAsync(HttpContext http, EmulatorClient emulator, EmulatorRequest game, Recorder recorder, VideoForm form, CancellationToken over)
    {
        var (header, lines) = recorder.Lines();
        try
        {
            await http.RequestServices.GetRequiredService<RecordingVideos>().MakeAsync(game.Rom, game.Patch, new RecordedGame(header, recorder.Ranges, lines), form, async (file, cancelled) =>
            {
                http.Response.ContentType = VideoFormat.Of(form).MediaType;
                http.Response.ContentLength = new FileInfo(file).Length;
                http.Response.Headers.CacheControl = "no-store";
                await http.Response.SendFileAsync(file, cancelled);
            }, over);
        }
        catch (RenderingException exception) when (!http.Response.HasStarted)
        {
            await Problems.WriteAsync(http, emulator.Id, RefusalOf(exception));
        }
    }

    internal static Refusal RefusalOf(RenderingException exception) => exception.Failure switch
    {
        RenderingFailure.ProgramMissing => new Refusal(RefusalKind.Unsupported, exception.Message),
        RenderingFailure.TooLong => new Refusal(RefusalKind.TooLarge, exception.Message),
        RenderingFailure.Busy => new Refusal(RefusalKind.TooManyRequests, exception.Message),
        _ => new Refusal(RefusalKind.NoVideo, exception.Message),
    };
}
