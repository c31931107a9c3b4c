using System.Buffers;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Gateway.Operations.Screen;

/// <summary>How a picture is written.</summary>
public enum PictureFormat
{
    /// <summary>A PNG.</summary>
    Png,

    /// <summary>Red, green and blue of each pixel, a byte each, row by row.</summary>
    Raw,
}

/// <summary>The picture.</summary>
internal static class ScreenOperations
{
    /// <summary>The size of a pixel.</summary>
    public static readonly Parameter<int> Scale = Parameter.Integer("scale", 1, 8, "Makes each pixel a square of this many.").Or(1);

    private static readonly Resource Resource = new("Screen", ScreenJson.Default);

    public static HandlerOperation<(int Scale, PictureFormat Format), ScreenAnswer> Get { get; } = new(Resource, "screen.get", HttpMethods.Get, "/v2/screen", Access.Read)
    {
        Summary = "A screenshot as a PNG, or raw",
        Description = "One pixel of the picture is one of the game: 240 by 160 (GBA), 160 by 144 (GB). Raw pixels are red, green and blue, a byte each, row by row; "
            + "`Mgba-Width` and `Mgba-Height` say how many. The `ETag` names the frame.",
        Request = Parameters.Of(
            Scale,
            Parameter.Choice<PictureFormat>("format", "How the picture is written.").Or(PictureFormat.Png),
            static (scale, format) => (scale, format)),
        Run = GetAsync,
        Bytes = new(static answer => answer.Content, "image/png", BytesOf<ScreenAnswer>.Binary)
        {
            MediaTypeOf = static answer => answer.Format == PictureFormat.Png ? "image/png" : BytesOf<ScreenAnswer>.Binary,
            EntityTag = static answer => answer.Tag,
            Size = static answer => (answer.Width, answer.Height),
        },
        Statuses = [(ErrorCode.Unsupported, "this emulator has no picture.")],
        Batch = BatchEntry.Of("screen", "take the picture.", new ReadScreen(), ItemResultKind.Bytes),
    };

    /// <summary>How a picture of pixels is to be.</summary>
    internal static Parameters<ReadPixels> Reduced { get; } = Parameters.Of(
        Parameter.Flag("grey", "Whether a pixel is one byte, its brightness, rather than red, green and blue."),
        Parameter.Integer("width", 1, (long)Limits.Side, "How many pixels a row has, made from averages of areas; those of the picture unless given.").Optional(),
        Parameter.Integer("height", 1, (long)Limits.Side, "How many rows there are, as `width`.").Optional(),
        static (grey, width, height) => new ReadPixels(grey, width ?? 0, height ?? 0));

    public static CommandOperation<ReadPixels, PixelsAnswer> Pixels { get; } = new(Resource, "screen.pixels", HttpMethods.Get, "/v2/screen/pixels", Access.Read)
    {
        Summary = "The picture as pixels, of any smaller size, in colours or grey",
        Description = "Row by row, a byte each, made in the emulator: faster than a PNG, and made for programs that learn. `Mgba-Width` and `Mgba-Height` say the size. "
            + "Grey is 0.299 red, 0.587 green and 0.114 blue. An mGBA window has no pixels: take `screen.get` with the format `raw` there.",
        Request = Reduced,
        Read = PixelsAnswer.Of,
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), BytesOf<PixelsAnswer>.Binary) { Size = static answer => (answer.Width, answer.Height) },
        Statuses = [(ErrorCode.Unsupported, "the emulator is an mGBA window, or has no picture.")],
        Batch = BatchEntry.Of("pixels", "the picture as pixels, as of `screen.pixels`.", Reduced, ItemResultKind.Bytes),
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Pixels];

    private static async ValueTask<Result<ScreenAnswer>> GetAsync(Invocation invocation, (int Scale, PictureFormat Format) request)
    {
        // before the picture: the tag of a frame in which a state is loaded in between is that of neither picture
        var present = await invocation.SendAsync(
            new ReadScriptStatus(), reply => new ScreenAnswer(reply.Frame, reply.Epoch, request.Format, 0, 0, null) { Loads = ReadScriptStatus.ParseLoads(reply) });
        if (invocation.KnownTags is { } known && present is { Failure: null, Value: { } shown } && known.Contains(shown.Tag, StringComparison.Ordinal))
        {
            return present;
        }

        var taken = await TakeAsync(invocation, request.Scale, request.Format);
        if (taken.Value is { } answer)
        {
            answer.Loads = present.Value?.Loads ?? 0;
        }

        return taken;
    }

    private static async ValueTask<Result<ScreenAnswer>> TakeAsync(Invocation invocation, int scale, PictureFormat format)
    {
        if (scale == 1 && format == PictureFormat.Raw)
        {
            // only a window refuses it, which then makes a PNG
            var pixels = await invocation.Emulator.SendAsync(new ReadPixels(), invocation.Options, invocation.Cancelled);
            if (pixels.Failure is null)
            {
                var size = ReadPixels.Parse(pixels);
                return Of(new ScreenAnswer(pixels.Frame, pixels.Epoch, format, size.Width, size.Height, pixels) { Content = new ReadOnlySequence<byte>(pixels.Tail) });
            }

            pixels.Dispose();
        }

        var reply = await invocation.Emulator.SendAsync(new ReadScreen(), invocation.Options, invocation.Cancelled);
        if (reply.Failure is { } failure)
        {
            using (reply)
            {
                return Result.Of(reply, static _ => default(ScreenAnswer)!);
            }
        }

        var (width, height) = ReadScreen.Parse(reply);
        if (scale == 1 && format == PictureFormat.Png)
        {
            return Of(new ScreenAnswer(reply.Frame, reply.Epoch, format, width, height, reply) { Content = new ReadOnlySequence<byte>(reply.Tail) });
        }

        using (reply)
        {
            return PngFile.TryRead(reply.Tail.Span, out var pixels)
                ? Of(Convert(reply, pixels, scale, format))
                : throw new UnexpectedReplyException(default(ReadScreen).Descriptor);
        }
    }

    private static ScreenAnswer Convert(Reply reply, Picture pixels, int scale, PictureFormat format)
    {
        using (pixels)
        {
            var content = StreamPool.Rent("screen");
            if (format == PictureFormat.Raw)
            {
                pixels.WriteRows(content, scale, default);
            }
            else
            {
                PngFile.Write(pixels, scale, content);
            }

            return new ScreenAnswer(reply.Frame, reply.Epoch, format, pixels.Width * scale, pixels.Height * scale, content) { Content = content.GetReadOnlySequence() };
        }
    }

    private static Result<ScreenAnswer> Of(ScreenAnswer answer) => Result.At(answer, answer.Frame, answer.Epoch);
}

/// <summary>The picture. It keeps the memory of its bytes until it is disposed.</summary>
/// <param name="frame">The frame that it is of.</param>
/// <param name="epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="format">How it is written.</param>
/// <param name="width">How many pixels a row has.</param>
/// <param name="height">How many rows there are.</param>
/// <param name="memory">The memory of its bytes.</param>
public sealed class ScreenAnswer(long frame, Epoch epoch, PictureFormat format, int width, int height, IDisposable? memory) : IDisposable
{
    /// <summary>The frame that it is of.</summary>
    public long Frame { get; } = frame;

    /// <summary>Changes when the script or the game changes: eight hex digits.</summary>
    public Epoch Epoch { get; } = epoch;

    /// <summary>How many pixels a row has.</summary>
    public int Width { get; } = width;

    /// <summary>How many rows there are.</summary>
    public int Height { get; } = height;

    /// <summary>A PNG or raw pixels, in base64.</summary>
    public ReadOnlyMemory<byte> Bytes => Content.IsSingleSegment ? Content.First : Content.ToArray();

    /// <summary>The bytes.</summary>
    internal ReadOnlySequence<byte> Content { get; init; }

    /// <summary>How it is written.</summary>
    internal PictureFormat Format { get; } = format;

    /// <summary>How often a state was loaded or the game was reset: while no frame runs, the picture changes with it.</summary>
    internal long Loads { get; set; }

    /// <summary>Identifies its bytes.</summary>
    internal string Tag => string.Create(CultureInfo.InvariantCulture, $"\"{Epoch}-{Frame}-{Loads}{(Format == PictureFormat.Raw ? "-raw" : "")}\"");

    public void Dispose() => memory?.Dispose();
}

/// <summary>The picture as pixels.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Width">How many pixels a row has.</param>
/// <param name="Height">How many rows there are.</param>
/// <param name="Bytes">The pixels, in base64.</param>
public sealed record PixelsAnswer(long Frame, Epoch Epoch, int Width, int Height, ReadOnlyMemory<byte> Bytes)
{
    internal static PixelsAnswer Of(ReadPixels command, Reply reply)
    {
        var (width, height) = ReadPixels.Parse(reply);
        return new PixelsAnswer(reply.Frame, reply.Epoch, width, height, reply.Tail);
    }
}

/// <summary>The JSON of the picture.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ScreenAnswer))]
[JsonSerializable(typeof(PixelsAnswer))]
internal sealed partial class ScreenJson : JsonSerializerContext;
