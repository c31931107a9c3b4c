using System.Buffers;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>A request body as it came, without a copy.</summary>
internal static class RawBody
{
    /// <summary>Waits for the whole body. Call <see cref="Done"/> when the bytes are not needed any more.</summary>
    /// <exception cref="IOException">It cannot be read: <see cref="Problems.IsOfTheBody"/>.</exception>
    public static async ValueTask<ReadOnlySequence<byte>> ReadAsync(HttpContext http)
    {
        var reader = http.Request.BodyReader;
        while (true)
        {
            var result = await reader.ReadAsync(http.RequestAborted);
            if (result.IsCompleted)
            {
                if (result.Buffer.Length >= Reply.LongFrom)
                {
                    await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
                }

                return result.Buffer;
            }

            reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
        }
    }

    /// <summary>The bytes are not needed any more.</summary>
    public static void Done(HttpContext http, ReadOnlySequence<byte> body) => http.Request.BodyReader.AdvanceTo(body.End);
}

/// <summary>An answer of raw bytes.</summary>
internal static class RawAnswer
{
    /// <summary>Writes them.</summary>
    public static async ValueTask WriteAsync(HttpContext http, ReadOnlySequence<byte> bytes, string contentType)
    {
        http.Response.ContentType = contentType;
        http.Response.ContentLength = bytes.Length;
        foreach (var part in bytes)
        {
            await http.Response.BodyWriter.WriteAsync(part, http.RequestAborted);
        }
    }
}
