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

    public static HandlerOperation<(string Recording, VideoForm Form), HttpResult> Operation { get; } = new(
        RecordingOperations.Resource, "recordings.video", HttpMethods.Post, RecordingOperations.One + "/video", Access.Play)
    {
        Request = Requests,
        Run = static (invocation, request) => ValueTask.FromResult(VideoOf(invocation, request.Recording, request.Form)),
        IsHttpOnly = true,
        Summary = "Make a video of a recording, with sound",
        Description = "Another emulator without a window plays the recording again, as fast as ffmpeg encodes; the game that is played now is not disturbed. It has each frame of the recording once. "
            + $"Only for emulators that the gateway started, whose ROM it knows. One video at a time, of at most {RecordingVideos.MaxMinutes} minutes of the game and {RecordingVideos.MaxBytes} bytes. "
            + "Disconnecting ends it.",
        UsesEmulator = false,
        IsEffect = false,
        Contents = VideoResponse.Contents,
        Statuses = [(FailureKind.NoSuchRecording, RecordingOperations.Gone), (FailureKind.TooLarge, "the recording is too long."), .. VideoResponse.Statuses],
    };

    private static Result<HttpResult> VideoOf(Invocation invocation, string recording, VideoForm form)
    {
        if (invocation.Get<RecordingStore>().Find(invocation.Emulator, recording) is not { } recorder)
        {
            return RecordingOperations.NotFound(recording);
        }

        var (header, lines) = recorder.Lines();
        return VideoResponse.Of(invocation, form, _ => Task.FromResult<(IReadOnlyList<RecordedGame>, Failure?)>(([new RecordedGame(header, recorder.Ranges, lines)], null)));
    }
}
