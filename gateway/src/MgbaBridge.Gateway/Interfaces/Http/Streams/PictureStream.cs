using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Screen;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Serves the picture again and again as <c>multipart/x-mixed-replace</c>.</summary>
internal static class PictureStream
{
    /// <summary>The response's media type.</summary>
    public const string ContentType = $"multipart/x-mixed-replace; boundary={Boundary}";

    private const string Boundary = "mgba-bridge-picture";

    public static HandlerOperation<double, HttpResult> Operation { get; } = new(new Resource("Screen", CommonJson.Default), "screen.stream", HttpMethods.Get, "/v2/screen/stream", Access.Read)
    {
        Summary = "A stream of screenshots, for an `<img>`",
        Request = PictureRates.Request,
        Run = static (invocation, fps) => ValueTask.FromResult<Result<HttpResult>>(StreamOf(invocation.Emulator, fps)),
        IsHttpOnly = true,
        IsOnWebSocket = true,
        Description = "Each part is a PNG with `Mgba-Frame` and `Mgba-Epoch`. All viewers share the screenshots that the fastest of them needs, and pictures take at most a third of the "
            + "script's time. A client that reads too slowly misses pictures. No parts are sent while the game is stopped or the emulator does not answer; the stream continues afterwards.",
        Contents = [new Content(ContentType, null, null)],
        Statuses = [(FailureKind.Unsupported, "this emulator has no picture.")],
    };

    private static HttpResult StreamOf(EmulatorClient emulator, double fps) => EmulatorStream.Of(emulator, (http, over) => ShowAsync(http, emulator, fps, over), EndAsync);

    private static async Task<Failure?> ShowAsync(HttpContext http, EmulatorClient emulator, double fps, CancellationToken over)
    {
        using var viewer = emulator.Pictures.Join(fps);
        var output = http.Response.BodyWriter;
        await foreach (var picture in viewer.Newest.ReadAllAsync(over))
        {
            if (picture.Failure is { } failure)
            {
                if (http.Response.HasStarted)
                {
                    continue;
                }

                return Failure.Of(failure);
            }

            if (!http.Response.HasStarted)
            {
                http.Response.ContentType = ContentType;
                http.Response.Headers.CacheControl = "no-store";
                Write(output, $"--{Boundary}\r\n");
            }

            // the next boundary ends this picture, so that it is shown at once
            Write(output, $"Content-Type: image/png\r\nContent-Length: {picture.Png.Length}\r\n{Headers.Frame}: {picture.Frame}\r\n{Headers.EpochHeader}: {picture.Epoch}\r\n\r\n");
            output.Write(picture.Png.Span);
            Write(output, $"\r\n--{Boundary}\r\n");
            await output.FlushAsync(over);
        }

        return null;
    }

    /// <summary>The last part is a text with the reason.</summary>
    private static async Task EndAsync(HttpContext http)
    {
        Write(http.Response.BodyWriter, $"Content-Type: text/plain\r\n\r\n{EmulatorStreams.RemovedReason}\r\n--{Boundary}--\r\n");
        await http.Response.BodyWriter.FlushAsync(http.RequestAborted);
    }

    private static void Write(PipeWriter output, string text) => Encoding.ASCII.GetBytes(text, output);
}
