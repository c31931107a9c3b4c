using System.Buffers;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Bodies in forms that other servers take as well.</summary>
internal static class EncodedBodies
{
    private const string Plain = "identity";

    /// <summary>Answers 415 to compressed bodies of operations that have one: they would otherwise be taken for what is in them.</summary>
    public static Task RefuseAsync(HttpContext http, RequestDelegate next)
    {
        if (http.Request.Headers.ContentEncoding.ToString() is not { Length: > 0 } encoding || encoding.Equals(Plain, StringComparison.OrdinalIgnoreCase)
            || http.GetEndpoint()?.Metadata.GetMetadata<OperationDescription>() is { Body: null })
        {
            return next(http);
        }

        http.Response.Headers.AcceptEncoding = Plain;
        return Problems.WriteAsync(http, FailureKind.EncodedBody, $"The body has the Content-Encoding {encoding}; send it as it is, without this header.").AsTask();
    }

    /// <summary>How many bytes of a mark a JSON body begins with; what to do when it is not UTF-8.</summary>
    /// <param name="body">The body.</param>
    /// <param name="wrong">Why it cannot be read, or null.</param>
    public static int MarkOf(in ReadOnlySequence<byte> body, out string? wrong)
    {
        Span<byte> begin = stackalloc byte[(int)Math.Min(4, body.Length)];
        body.Slice(0, begin.Length).CopyTo(begin);
        wrong = begin is [0xFF, 0xFE, ..] or [0xFE, 0xFF, ..] or [not 0, 0, ..] or [0, not 0, ..] ? "The body is UTF-16; JSON is UTF-8 here. Save or send it as UTF-8." : null;
        return begin is [0xEF, 0xBB, 0xBF, ..] ? 3 : 0;
    }
}
