using System.Buffers;
using System.Globalization;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Testing;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>A video of a recording, or of several of a game, one behind the other: an emulator plays them again, and gives ffmpeg each picture and all of the sound.</summary>
internal static class RecordingVideo
{
    /// <summary>How many frames a second of both consoles has.</summary>
    public const double FramesPerSecond = (double)FramesDividend / FramesDivisor;

    // of both consoles: cycles a second, and cycles of a frame, without their common divisors
    private const long FramesDividend = 262_144;
    private const long FramesDivisor = 4_389;

    /// <summary>
    /// Makes it. Where something else than keys has changed what the game shows, the video continues from the next state of the recording; where the recording has
    /// hashes instead there is none.
    /// </summary>
    /// <param name="programs">The programs that run games.</param>
    /// <param name="rom">The ROM.</param>
    /// <param name="options">What its emulator was started with.</param>
    /// <param name="recorded">The recordings.</param>
    /// <param name="file">The file to write.</param>
    /// <param name="folder">A folder for files on the way.</param>
    /// <param name="maxBytes">How large the file may be, or null.</param>
    /// <param name="cancelled">Ends it.</param>
    /// <exception cref="RenderingException">It cannot be made.</exception>
    public static async Task<RenderedVideo> WriteAsync(
        Programs programs, string rom, EmulatorOptions options, IReadOnlyList<RecordedGame> recorded, string file, string folder, long? maxBytes, CancellationToken cancelled)
    {
        var format = VideoFormat.Of(file) ?? throw new RenderingException($"{file} has none of the extensions {VideoFormat.Extensions}.");
        if (recorded.Sum(static part => part.Frames) == 0)
        {
            throw new RenderingException("The recording has no frames.");
        }

        _ = programs.Headless ?? throw new RenderingException(programs.Missing(window: false)) { Failure = RenderingFailure.ProgramMissing };
        var (pictures, sound) = (Path.Combine(folder, "pictures" + Path.GetExtension(file)), Path.Combine(folder, "sound"));
        try
        {
            var (frames, deviations) = await PlayAsync(programs, new TestFile(rom, rom, []) { Options = options.OfRecordings, Render = folder }, recorded, format, pictures, maxBytes, cancelled);
            using (var heard = File.OpenWrite(sound))
            {
                heard.SetLength(frames * GameSound.SampleRate * FramesDivisor / FramesDividend * GameSound.BytesPerPair);
            }

            await using var joining = Ffmpeg.Start([
                "-i", $"file:{pictures}", "-f", "s16le", "-ar", Text($"{GameSound.SampleRate}"), "-ac", "2", "-i", $"file:{sound}", "-c:v", "copy", .. format.Sound, $"file:{file}"]);
            await joining.EndAsync(cancelled);
            return new RenderedVideo(file, frames, deviations);
        }
        catch (Exception exception) when (exception is TestEmulatorException or TestStepException)
        {
            throw new RenderingException(exception.Message);
        }
    }

    // the emulator gives the pictures to ffmpeg by a pipe, and waits while it is full
    private static async Task<(long Frames, int Deviations)> PlayAsync(
        Programs programs, TestFile game, IReadOnlyList<RecordedGame> recorded, VideoFormat format, string pictures, long? maxBytes, CancellationToken cancelled)
    {
        await using var emulator = await TestEmulator.StartAsync(programs, game, cancelled);
        if (emulator.Crc32 != recorded[0].Header.Crc32)
        {
            throw new RenderingException($"{game.Rom} is another ROM than that of the recording, {recorded[0].Header.Title}: their checksums differ.");
        }

        var (width, height, _) = await emulator.ReadPixelsAsync(cancelled);
        await using var encoder = Ffmpeg.Start([
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", Text($"{width}x{height}"), "-framerate", Text($"{FramesDividend}/{FramesDivisor}"), "-i", $"file:{Path.Combine(game.Render!, "pictures")}",
            .. format.IsLossless ? Array.Empty<string>() : ["-vf", Text($"scale=iw*{format.Scale}:-1:flags=neighbor:out_color_matrix=bt709,format=yuv420p")], .. format.Video,
            .. maxBytes is null ? Array.Empty<string>() : ["-fs", Text($"{maxBytes}")], $"file:{pictures}"]);
        var (frames, deviations) = (0L, 0);
        var parts = new Stack<RecordedGame>(recorded.Reverse());
        while (parts.TryPop(out var part))
        {
            var replaying = emulator.ReplayAsync(part, keysOnly: false, IsSame, cancelled);
            await Task.WhenAny(replaying, encoder.WaitAsync(cancelled));
            if (!replaying.IsCompletedSuccessfully)
            {
                // an emulator without a reader fails, too; ffmpeg says why
                await EndAsync(emulator, encoder, pictures, maxBytes, cancelled);
            }

            var outcome = await replaying;
            frames += outcome.Frames;
            if (outcome.Divergence is { } divergence)
            {
                if (divergence.Line.Hash is not null)
                {
                    throw new RenderingException(Text($"The game does something else than in the recording: memory differs {divergence.After} frames after its start."));
                }

                deviations++;
                parts.Push(part.From(divergence.Line));
            }
        }

        await EndAsync(emulator, encoder, pictures, maxBytes, cancelled);
        return (frames, deviations);
    }

    // ffmpeg's input ends with the emulator
    private static async Task EndAsync(TestEmulator emulator, Ffmpeg encoder, string pictures, long? maxBytes, CancellationToken cancelled)
    {
        await emulator.StopAsync();
        await encoder.EndAsync(cancelled);
        if (new FileInfo(pictures) is { Exists: true } file && file.Length > maxBytes)
        {
            throw new RenderingException(Text($"The video has more than {maxBytes} bytes."));
        }
    }

    private static bool IsSame(RecordingLine line, ReplayPicture picture)
    {
        if (!PngFile.TryRead(line.Picture!.Value.Span, out var seen))
        {
            return false;
        }

        using (seen)
        {
            return (seen.Width, seen.Height) == (picture.Width, picture.Height) && seen.Rgb.ToArray().AsSpan().SequenceEqual(picture.Pixels.Span);
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>A video that was made.</summary>
/// <param name="File">Its file.</param>
/// <param name="Frames">How many frames it has.</param>
/// <param name="Deviations">How many times it continues from a state of the recording, because the game showed something else.</param>
internal sealed record RenderedVideo(string File, long Frames, int Deviations);
