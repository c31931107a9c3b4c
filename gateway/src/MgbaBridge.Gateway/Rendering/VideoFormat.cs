namespace MgbaBridge.Gateway.Rendering;

/// <summary>The form of a video, which is also the extension of its file.</summary>
internal enum VideoForm
{
    Mp4,
    Webm,
    Mkv,
}

/// <summary>How ffmpeg encodes a video.</summary>
/// <param name="MediaType">The media type of its file.</param>
/// <param name="Scale">How many pixels of the video are one of the game, in each direction.</param>
/// <param name="Video">ffmpeg's options for the pictures.</param>
/// <param name="Sound">ffmpeg's options for the sound.</param>
internal sealed record VideoFormat(string MediaType, int Scale, string[] Video, string[] Sound)
{
    // players take larger pictures without a note about their colours for those of HDTV
    private static readonly string[] Colors = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"];

    private static readonly Dictionary<VideoForm, VideoFormat> ByForm = new()
    {
        // this preset smooths pixel art less than slower ones, and takes half of their time; with CABAC its files are a quarter larger;
        // a constant quantizer needs no smaller copies of the pictures, which tell -crf how much they differ
        [VideoForm.Mp4] = new("video/mp4", 4, ["-c:v", "libx264", "-preset", "ultrafast", "-coder", "cabac", "-qp", "20", .. Colors], ["-c:a", "aac", "-b:a", "192k", "-movflags", "+faststart"]),
        [VideoForm.Webm] = new("video/webm", 4, ["-c:v", "libvpx-vp9", "-crf", "18", "-b:v", "0", "-row-mt", "1", "-cpu-used", "4", .. Colors], ["-c:a", "libopus", "-b:a", "160k"]),
        [VideoForm.Mkv] = new("video/x-matroska", 1, ["-c:v", "libx264rgb", "-qp", "0"], ["-c:a", "flac"]),
    };

    /// <summary>The extensions of the forms.</summary>
    public static string Extensions => string.Join(", ", ByForm.Keys.Select(Extension));

    /// <summary>The media types of the forms.</summary>
    public static IEnumerable<string> MediaTypes => ByForm.Values.Select(static format => format.MediaType);

    /// <summary>Whether each pixel is kept as it is, in the game's size.</summary>
    public bool IsLossless => Scale == 1;

    /// <summary>How videos of a form are encoded.</summary>
    public static VideoFormat Of(VideoForm form) => ByForm[form];

    /// <summary>How the video of a file is encoded, or null when its extension is none that is known.</summary>
    public static VideoFormat? Of(string file) => ByForm.FirstOrDefault(known => Extension(known.Key).Equals(Path.GetExtension(file), StringComparison.OrdinalIgnoreCase)).Value;

    /// <summary>The extension of a form, with its dot.</summary>
    public static string Extension(VideoForm form) => $".{form.ToString().ToLowerInvariant()}";
}
