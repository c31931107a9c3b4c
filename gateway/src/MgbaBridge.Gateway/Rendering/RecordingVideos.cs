using System.Globalization;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>The videos that callers of the gateway ask for: one at a time, of limited length, size and duration.</summary>
/// <param name="programs">The programs that run games.</param>
internal sealed class RecordingVideos(Programs programs)
{
    /// <summary>How many minutes of the game one has at most.</summary>
    public const int MaxMinutes = 10;

    /// <summary>How many bytes one has at most.</summary>
    public const long MaxBytes = 536_870_912;

    /// <summary>How many minutes one may take to make and to send.</summary>
    public const int MaxWorkMinutes = 15;

    private int _atWork;

    /// <summary>Makes one, and deletes its file when it has been used.</summary>
    /// <param name="rom">The ROM.</param>
    /// <param name="options">What its emulator was started with.</param>
    /// <param name="recorded">The recordings, one behind the other.</param>
    /// <param name="form">The form.</param>
    /// <param name="use">Uses it.</param>
    /// <param name="cancelled">Ends it.</param>
    /// <exception cref="RenderingException">It cannot be made.</exception>
    public async Task MakeAsync(string rom, EmulatorOptions options, IReadOnlyList<RecordedGame> recorded, VideoForm form, Func<RenderedVideo, CancellationToken, Task> use, CancellationToken cancelled)
    {
        var frames = recorded.Sum(static part => part.Frames);
        if (frames > MaxMinutes * 60 * RecordingVideo.FramesPerSecond)
        {
            var reason = string.Create(CultureInfo.InvariantCulture, $"The recording has {frames} frames, more than {MaxMinutes} minutes. Download it; mgba-bridge record video makes videos of any length.");
            throw new RenderingException(reason) { Failure = RenderingFailure.TooLong };
        }

        if (Interlocked.Exchange(ref _atWork, 1) != 0)
        {
            throw new RenderingException("Another video is being made. Try again when it is ready.") { Failure = RenderingFailure.Busy };
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
        limit.CancelAfter(TimeSpan.FromMinutes(MaxWorkMinutes));
        DirectoryInfo? folder = null;
        try
        {
            folder = Directory.CreateTempSubdirectory("mgba-bridge-video-");
            var file = Path.Combine(folder.FullName, $"video{VideoFormat.Extension(form)}");
            await use(await WriteAsync(rom, options, recorded, file, folder.FullName, limit.Token), limit.Token);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancelled.IsCancellationRequested)
        {
            throw new RenderingException($"The video was not ready within {MaxWorkMinutes} minutes.");
        }
        finally
        {
            folder?.Delete(recursive: true);
            Volatile.Write(ref _atWork, 0);
        }
    }

    private async Task<RenderedVideo> WriteAsync(string rom, EmulatorOptions options, IReadOnlyList<RecordedGame> recorded, string file, string folder, CancellationToken cancelled)
    {
        try
        {
            return await RecordingVideo.WriteAsync(programs, rom, options, recorded, file, folder, MaxBytes, cancelled);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new RenderingException($"{exception.Message} Videos are made in {Path.GetTempPath()} (TMPDIR), which needs room for them.");
        }
    }
}
