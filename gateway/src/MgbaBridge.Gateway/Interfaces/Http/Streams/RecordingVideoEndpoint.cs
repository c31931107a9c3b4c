using MgbaBridge.Engines.Recordings;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Recordings;
using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Makes a video of a recording, and sends it from the disk: it may have more bytes than the gateway keeps for a caller.</summary>
internal static class RecordingVideoEndpoint
{
    private static readonly Parameters<(string Recording, VideoForm Form)> Requests = Parameters.Of(
        RecordingOperations.Id,
        VideoResponse.Form,
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
        Contents = VideoResponse.Contents,
        Statuses = [(404, RecordingOperations.Gone), (RefusalKind.TooLarge, "the recording is too long."), .. VideoResponse.Statuses],
    };

    private static Task ServeAsync(HttpContext http, (string Recording, VideoForm Form) request) => http.WithEmulatorAsync(async (http, emulator) =>
    {
        if (http.RequestServices.GetRequiredService<RecordingStore>().Find(emulator, request.Recording) is not { } recorder)
        {
            await Problems.WriteAsync(http, emulator.Id, RecordingOperations.NotFound(request.Recording));
            return;
        }

        var (header, lines) = recorder.Lines();
        await VideoResponse.SendAsync(http, emulator, request.Form, _ => Task.FromResult<(IReadOnlyList<RecordedGame>, Refusal?)>(([new RecordedGame(header, recorder.Ranges, lines)], null)));
    });
}
