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
    private static readonly Resource Resource = new("Screen", ScreenJson.Default);

    public static HandlerOperation<(int Scale, PictureFormat Format), ScreenAnswer> Get { get; } = new(Resource, "screen.get", HttpMethods.Get, "/v2/screen", Access.Read)
    {
        Summary = "A screenshot as a PNG, or raw",
        Description = "One pixel of the picture is one of the game: 240 by 160 (GBA), 160 by 144 (GB). Raw pixels are red, green and blue, a byte each, row by row; "
            + "`Mgba-Width` and `Mgba-Height` say how many. The `ETag` names the frame.",
        ServesHead = true,
        Request = Parameters.Of(
            Parameter.Integer("scale", 1, 8, "Makes each pixel a square of this many.").Or(1),
            Parameter.Choice<PictureFormat>("format", "How the picture is written.").Or(PictureFormat.Png),
            static (scale, format) => (scale, format)),
        Run = GetAsync,
        Bytes = new(static answer => answer.Content, "image/png", BytesOf<ScreenAnswer>.Binary)
        {
            MediaTypeOf = static answer => answer.Format == PictureFormat.Png ? "image/png" : BytesOf<ScreenAnswer>.Binary,
            EntityTag = static answer => answer.Tag,
            Size = static answer => (answer.Width, answer.Height),
        },
        Statuses = [(StatusCodes.Status304NotModified, "The caller's picture is that of the present frame."), (StatusCodes.Status501NotImplemented, "This emulator has no picture.")],
        Batch = BatchEntry.Of("screen", "take the picture.", new ReadScreen(), ItemResultKind.Bytes),
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get];

    private static async ValueTask<Result<ScreenAnswer>> GetAsync(OperationContext context, (int Scale, PictureFormat Format) request)
    {
        if (context.KnownTags is { } known)
        {
            // reading the frame costs nothing; making the picture does
            var frame = await context.SendAsync(new Ping(), static reply => (reply.Frame, reply.Epoch));
            if (frame.Refusal is null && known.Contains(ScreenAnswer.TagOf(frame.Value.Frame, frame.Value.Epoch, request.Format), StringComparison.Ordinal))
            {
                return new Result<ScreenAnswer>(new ScreenAnswer(frame.Value.Frame, frame.Value.Epoch, request.Format, 0, 0, null), null, frame.Frame, frame.Epoch);
            }
        }

        return await TakeAsync(context, request.Scale, request.Format);
    }

    private static async ValueTask<Result<ScreenAnswer>> TakeAsync(OperationContext context, int scale, PictureFormat format)
    {
        var reply = await context.Emulator.SendAsync(new ReadScreen(), context.Options, context.Cancelled);
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

    /// <summary>Identifies its bytes.</summary>
    internal string Tag => TagOf(Frame, Epoch, Format);

    /// <summary>Identifies the picture of a frame.</summary>
    internal static string TagOf(long frame, Epoch epoch, PictureFormat format) =>
        string.Create(CultureInfo.InvariantCulture, $"\"{epoch}-{frame}{(format == PictureFormat.Raw ? "-raw" : "")}\"");

    public void Dispose() => memory?.Dispose();
}

/// <summary>The JSON of the picture.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ScreenAnswer))]
internal sealed partial class ScreenJson : JsonSerializerContext;
