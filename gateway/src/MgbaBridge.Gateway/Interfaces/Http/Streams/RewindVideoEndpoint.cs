using MgbaBridge.Engines.Recordings;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Recordings;
using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Makes a video of the last seconds of a game, from the states that are kept for rewinding and the keys since then.</summary>
internal static class RewindVideoEndpoint
{
    private const int MaxSeconds = 300;
    private const int DefaultSeconds = 30;

    private static readonly Parameters<(int Seconds, VideoForm Form)> Requests = Parameters.Of(
        Parameter.Integer("seconds", 1, MaxSeconds, "How many seconds of the game; fewer when fewer are kept.").Or(DefaultSeconds).InQuery(),
        VideoResponse.Form,
        static (seconds, form) => (seconds, form));

    public static HandlerOperation<(int Seconds, VideoForm Form), HttpResult> Operation { get; } = new(
        RecordingOperations.Resource, "rewind.video", HttpMethods.Post, "/v2/rewind/video", Access.Play)
    {
        Request = Requests,
        Run = static (invocation, request) => ValueTask.FromResult(VideoOf(invocation, request.Seconds, request.Form)),
        IsHttpOnly = true,
        Summary = "Make a video of the last seconds, with sound",
        Description = "Another emulator without a window plays the game again, from a state that is kept for rewinding and with the keys since then, as fast as ffmpeg encodes; the game that is played now is not "
            + "disturbed. It has each frame once. Where a state was loaded or the game was reset meanwhile, a few frames are left out. `Mgba-Frame` is the last frame. Values that were written "
            + "or frozen meanwhile are not written again: where the game then shows something else, the video continues from the next kept state, and `Mgba-Deviations` is how many times it does. Only for emulators that the gateway started. One video at a time. Disconnecting ends it.",
        UsesEmulator = false,
        IsEffect = false,
        Contents = VideoResponse.Contents,
        Statuses = [.. RewindOperations.NotOn, .. VideoResponse.Statuses],
    };

    private static Result<HttpResult> VideoOf(Invocation invocation, int seconds, VideoForm form) => invocation.Get<Rewinds>().Of(invocation.Emulator) is not { } ring
        ? RewindOperations.NoneKept
        : VideoResponse.Of(invocation, form, async cancelled =>
        {
            var (parts, failure) = await ring.LastAsync((long)Math.Round(seconds * RecordingVideo.FramesPerSecond), cancelled);
            return (parts, failure is not null ? Failure.Of(failure)
                : parts.Count == 0 ? new Failure(FailureKind.NoVideo, "No frames are kept yet. Try again in a second.")
                : null);
        });
}
