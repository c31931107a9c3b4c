using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Api.Screen;

/// <summary>The picture, again and again.</summary>
public static class PictureStreamEndpoint
{
    private const string Boundary = "mgba-bridge-picture";
    private const string RateQuery = "fps";

    /// <summary>Adds <c>/v2/screen/stream</c>.</summary>
    public static void MapPictureStream(this IEndpointRouteBuilder routes) => routes.MapGet("/v2/screen/stream", Stream).Describe(new OperationDescription(
        "Screen", "The picture again and again, for an `<img>`")
    {
        Description = "Each part is a PNG with `Mgba-Frame` and `Mgba-Epoch`. All viewers share the screenshots that the fastest of them needs, and pictures take at most a quarter of the "
            + "script's time. Who reads too slowly misses pictures. While the game stands still nothing comes, nor while the emulator does not answer: the stream goes on when it does.",
        Inputs = [new Input(RateQuery, "How many pictures a second at most, 0.1 to 60; 10 unless given.", "5")],
        Answers = [new Content($"multipart/x-mixed-replace; boundary={Boundary}", null, null)],
        OtherResponses = [(501, "This emulator has no picture.")],
    });

    private static Task Stream(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        if (!PictureRates.TryParse(http.Request.Query[RateQuery], out var fps))
        {
            await Problems.BadRequestAsync(http, PictureRates.FormatHint);
            return;
        }

        using var counted = await StreamLimit.EnterAsync(http);
        if (counted is null)
        {
            return;
        }

        var lifetime = http.RequestServices.GetRequiredService<IHostApplicationLifetime>();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, lifetime.ApplicationStopping);
        using var viewer = emulator.Pictures.Join(fps);
        try
        {
            await ShowAsync(http, emulator.Id, viewer, over.Token);
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            // the viewer left, or the gateway stops
        }
    });

    private static async Task ShowAsync(HttpContext http, string emulator, PictureViewer viewer, CancellationToken over)
    {
        var output = http.Response.BodyWriter;
        await foreach (var picture in viewer.Newest.ReadAllAsync(over))
        {
            if (picture.Failure is { } failure)
            {
                if (http.Response.HasStarted)
                {
                    continue;
                }

                await Problems.WriteAsync(http, emulator, failure);
                return;
            }

            if (!http.Response.HasStarted)
            {
                http.Response.ContentType = $"multipart/x-mixed-replace; boundary={Boundary}";
                http.Response.Headers.CacheControl = "no-store";
                Write(output, $"--{Boundary}\r\n");
            }

            // the next boundary ends this picture, so that it is shown at once
            Write(output, $"Content-Type: image/png\r\nContent-Length: {picture.Png.Length}\r\n{Headers.Frame}: {picture.Frame}\r\n{Headers.Epoch}: {Headers.Text(picture.Epoch)}\r\n\r\n");
            output.Write(picture.Png.Span);
            Write(output, $"\r\n--{Boundary}\r\n");
            await output.FlushAsync(over);
        }
    }

    private static void Write(PipeWriter output, string text) => Encoding.ASCII.GetBytes(text, output);
}
