namespace MgbaBridge.Gateway.Rendering;

/// <summary>How ffmpeg encodes a video, chosen by the extension of its file.</summary>
/// <param name="Scale">How many pixels of the video are one of the game, in each direction.</param>
/// <param name="Video">ffmpeg's options for the pictures.</param>
/// <param name="Sound">ffmpeg's options for the sound.</param>
internal sealed record VideoFormat(int Scale, string[] Video, string[] Sound)
{
    // players take larger pictures without a note about their colours for those of HDTV
    private static readonly string[] Colors = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"];

    private static readonly Dictionary<string, VideoFormat> ByExtension = new(StringComparer.OrdinalIgnoreCase)
    {
        [".mp4"] = new(4, ["-c:v", "libx264", "-crf", "16", .. Colors], ["-c:a", "aac", "-b:a", "192k", "-movflags", "+faststart"]),
        [".webm"] = new(4, ["-c:v", "libvpx-vp9", "-crf", "18", "-b:v", "0", "-row-mt", "1", "-cpu-used", "4", .. Colors], ["-c:a", "libopus", "-b:a", "160k"]),
        [".mkv"] = new(1, ["-c:v", "libx264rgb", "-qp", "0"], ["-c:a", "flac"]),
    };

    /// <summary>The extensions that are known.</summary>
    public static string Extensions => string.Join(", ", ByExtension.Keys);

    /// <summary>Whether each pixel is kept as it is, in the game's size.</summary>
    public bool IsLossless => Scale == 1;

    /// <summary>The format of a file, or null.</summary>
    public static VideoFormat? Of(string file) => ByExtension.GetValueOrDefault(Path.GetExtension(file));
}
