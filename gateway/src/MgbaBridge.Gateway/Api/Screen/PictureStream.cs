using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Api.Http;

namespace MgbaBridge.Gateway.Api.Screen;

/// <summary>Serves the picture again and again as <c>multipart/x-mixed-replace</c>.</summary>
internal static class PictureStream
{
    /// <summary>The query parameter with the rate.</summary>
    public const string RateQuery = "fps";

    /// <summary>The response's media type.</summary>
    public const string ContentType = $"multipart/x-mixed-replace; boundary={Boundary}";

    private const string Boundary = "mgba-bridge-picture";

    /// <summary>Serves one viewer until it leaves, the gateway stops, or the emulator is removed.</summary>
    public static Task ServeAsync(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        if (!PictureRates.TryParse(http.Request.Query[RateQuery], out var fps))
        {
            await Problems.BadRequestAsync(http, PictureRates.ExpectedFormat);
            return;
        }

        using var counted = await StreamLimit.EnterAsync(http);
        if (counted is null)
        {
            return;
        }

        var lifetime = http.RequestServices.GetRequiredService<IHostApplicationLifetime>();
        using var entry = emulator.Streams.Enter();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, lifetime.ApplicationStopping, http.Revoked(), emulator.Streams.Removed);
        using var viewer = emulator.Pictures.Join(fps);
        try
        {
            await ShowAsync(http, emulator.Id, viewer, over.Token);
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            // the viewer left, the gateway stops, or the emulator was removed
        }

        if (emulator.Streams.Removed.IsCancellationRequested && !http.RequestAborted.IsCancellationRequested)
        {
            await EndAsync(http);
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
                http.Response.ContentType = ContentType;
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

    /// <summary>The last part is a text with the reason.</summary>
    private static async Task EndAsync(HttpContext http)
    {
        if (!http.Response.HasStarted)
        {
            await Problems.NoSuchEmulatorAsync(http);
            return;
        }

        Write(http.Response.BodyWriter, $"Content-Type: text/plain\r\n\r\n{EmulatorStreams.RemovedReason}\r\n--{Boundary}--\r\n");
        await http.Response.BodyWriter.FlushAsync(http.RequestAborted);
    }

    private static void Write(PipeWriter output, string text) => Encoding.ASCII.GetBytes(text, output);
}
