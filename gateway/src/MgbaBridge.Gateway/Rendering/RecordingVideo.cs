using System.Buffers;
using System.Globalization;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Testing;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>A video of a recording, or of several of a game, one behind the other: an emulator plays them again, and ffmpeg gets each picture and all of the sound.</summary>
internal static class RecordingVideo
{
    /// <summary>How many frames a second of both consoles has.</summary>
    public const double FramesPerSecond = (double)FramesDividend / FramesDivisor;

    // of both consoles: cycles a second, and cycles of a frame, without their common divisors
    private const long FramesDividend = 262_144;
    private const long FramesDivisor = 4_389;

    /// <summary>Makes it, and returns how many frames it has.</summary>
    /// <param name="programs">The programs that run games.</param>
    /// <param name="rom">The ROM.</param>
    /// <param name="patch">Its patch, or null.</param>
    /// <param name="recorded">The recordings.</param>
    /// <param name="file">The file to write.</param>
    /// <param name="folder">A folder for files on the way.</param>
    /// <param name="maxBytes">How large the file may be.</param>
    /// <param name="cancelled">Ends it.</param>
    /// <exception cref="RenderingException">It cannot be made.</exception>
    public static async Task<long> WriteAsync(
        Programs programs, string rom, string? patch, IReadOnlyList<RecordedGame> recorded, string file, string folder, long maxBytes, CancellationToken cancelled)
    {
        var format = VideoFormat.Of(file) ?? throw new RenderingException($"{file} has none of the extensions {VideoFormat.Extensions}.");
        if (recorded.Sum(static part => part.Frames) == 0)
        {
            throw new RenderingException("The recording has no frames.");
        }

        _ = programs.Headless ?? throw new RenderingException(programs.Missing(window: false)) { Failure = RenderingFailure.ProgramMissing };
        var (pictures, sound) = (Path.Combine(folder, "pictures" + Path.GetExtension(file)), Path.Combine(folder, "sound.raw"));
        try
        {
            var frames = await PlayAsync(programs, new TestFile(rom, rom, []) { Patch = patch, DrawsAll = true }, recorded, format, pictures, sound, maxBytes, cancelled);
            await using var joining = Ffmpeg.Start([
                "-i", $"file:{pictures}", "-f", "s16le", "-ar", Text($"{SoundTrack.SampleRate}"), "-ac", "2", "-i", $"file:{sound}", "-c:v", "copy", .. format.Sound, $"file:{file}"]);
            await joining.EndAsync(cancelled);
            return frames;
        }
        catch (Exception exception) when (exception is TestEmulatorException or TestStepException)
        {
            throw new RenderingException(exception.Message);
        }
    }

    private static async Task<long> PlayAsync(
        Programs programs, TestFile game, IReadOnlyList<RecordedGame> recorded, VideoFormat format, string pictures, string soundFile, long maxBytes, CancellationToken cancelled)
    {
        await using var emulator = await TestEmulator.StartAsync(programs, game, cancelled);
        if (emulator.Crc32 != recorded[0].Header.Crc32)
        {
            throw new RenderingException($"{game.Rom} is another ROM than that of the recording, {recorded[0].Header.Title}: their checksums differ.");
        }

        var (width, height, _) = await emulator.ReadPixelsAsync(cancelled);
        await using var encoder = Ffmpeg.Start([
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", Text($"{width}x{height}"), "-framerate", Text($"{FramesDividend}/{FramesDivisor}"), "-i", "-",
            .. format.IsLossless ? Array.Empty<string>() : ["-vf", Text($"scale=iw*{format.Scale}:-1:flags=neighbor:out_color_matrix=bt709,format=yuv420p")], .. format.Video, $"file:{pictures}"]);
        await using var file = File.Create(soundFile);
        using var heard = await emulator.ListenAsync(cancelled);
        var sound = new SoundTrack(heard, file);
        long frames = 0;
        foreach (var part in recorded)
        {
            var (frame, expected) = (part.Header.Frame, PicturesOf(part));
            var outcome = await emulator.ReplayAsync(part, keysOnly: false, async picture =>
            {
                if ((picture.Width, picture.Height) != (width, height))
                {
                    throw new RenderingException("The game changes the size of its picture, which a video cannot do.");
                }

                if (expected.TryGetValue(++frame, out var seen) && !IsSame(seen, picture))
                {
                    throw new RenderingException("The game shows something else when its keys are played again: a value that was written or frozen, or a clock, has changed it.");
                }

                Check(pictures, maxBytes);
                await encoder.WriteAsync(picture.Pixels, cancelled);
                await sound.WriteAsync(cancelled);
            }, cancelled);
            if (outcome.Divergence is { } divergence)
            {
                throw new RenderingException(Text($"The game does something else than in the recording: memory differs {divergence.After} frames after its start."));
            }

            frames += outcome.Frames;
        }

        await sound.CompleteAsync(frames * SoundTrack.SampleRate * FramesDivisor / FramesDividend, cancelled);
        await encoder.EndAsync(cancelled);
        Check(pictures, maxBytes);
        return frames;
    }

    // of frames without a hash, which say more
    private static Dictionary<long, ReadOnlyMemory<byte>> PicturesOf(RecordedGame recorded) =>
        recorded.Lines.Where(static line => line is { Hash: null, Picture: not null }).ToDictionary(static line => line.Frame, static line => line.Picture!.Value);

    private static bool IsSame(ReadOnlyMemory<byte> png, ReplayPicture picture)
    {
        if (!PngFile.TryRead(png.Span, out var seen))
        {
            return false;
        }

        using (seen)
        {
            return seen.Rgb.ToArray().AsSpan().SequenceEqual(picture.Pixels.Span);
        }
    }

    private static void Check(string file, long maxBytes)
    {
        if (new FileInfo(file) is { Exists: true, Length: var length } && length > maxBytes)
        {
            throw new RenderingException(Text($"The video has more than {maxBytes} bytes."));
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
