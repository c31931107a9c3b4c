using System.Buffers;
using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Gateway.Operations;
using Microsoft.IO;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>
/// <c>Idempotency-Key</c>: a request that is sent again under its key is answered as the first time, and runs once. What was refused before anything
/// was done may be sent again under its key and runs.
/// </summary>
internal sealed class Idempotency(IdempotentRequests requests)
{
    /// <summary>The header.</summary>
    public const string Header = "Idempotency-Key";

    /// <summary>Says that the answer is one of before.</summary>
    public const string Replayed = "Idempotency-Replayed";

    /// <summary>The most characters of a key.</summary>
    public const int MaxKey = 255;

    private static readonly object MayHaveRun = new();

    /// <summary>Notes that this request failed and may have had its effect all the same.</summary>
    public static void NoteMayHaveRun(HttpContext http) => http.Items[MayHaveRun] = MayHaveRun;

    /// <summary>Runs requests that have a key and change something once for each key.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        return http.Request.Headers.TryGetValue(Header, out var key) && IsFor(http.Request.Method, http.GetEndpoint()?.Metadata.GetMetadata<Operation>())
            ? RunOnceAsync(http, key.ToString(), next)
            : next(http);
    }

    /// <summary>Whether a request may have a key: it changes something, and what is sent and answered is small enough to keep.</summary>
    public static bool IsFor(string method, Operation? operation) =>
        !HttpMethods.IsGet(method) && !HttpMethods.IsHead(method) && !HttpMethods.IsOptions(method) && operation is not { IsHttpOnly: true };

    private async Task RunOnceAsync(HttpContext http, string key, RequestDelegate next)
    {
        if (key.Length is 0 or > MaxKey || key.AsSpan().ContainsAnyExceptInRange('!', '~'))
        {
            await Problems.BadRequestAsync(http, $"{Header} has to be 1 to {MaxKey} visible characters of ASCII, best a random UUID.");
            return;
        }

        using var body = StreamPool.Rent("idempotent request");
        if (!await TryReadBodyAsync(http, body))
        {
            return;
        }

        var mine = new IdempotentRequest($"{http.Credential()?.Id} {http.Request.Headers[HolderHeader.Name]} {key}", FingerprintOf(http.Request, body));
        while (true)
        {
            var request = requests.GetOrAdd(mine, out var isNew);
            if (isNew)
            {
                await RunAsync(http, request, body, next);
                return;
            }

            if (request.Fingerprint != mine.Fingerprint)
            {
                await Problems.WriteAsync(http, FailureKind.KeyReused, $"The key {key} was used for another request. Take a new one for each thing that is to be done.");
                return;
            }

            if (await request.Answer.Task.WaitAsync(http.RequestAborted) is { } answer)
            {
                await ReplayAsync(http, answer);
                return;
            }
        }
    }

    // continues after the caller disconnects: a retry with the same key gets the result
    private async Task RunAsync(HttpContext http, IdempotentRequest request, Stream sent, RequestDelegate next)
    {
        var (caller, callersSent, callersBody) = (http.RequestAborted, http.Request.Body, http.Response.Body);
        using var body = StreamPool.Rent("idempotent response");
        StoredResponse? answer = null;
        try
        {
            http.RequestAborted = CancellationToken.None;
            http.Request.Body = sent;
            http.Response.Body = body;
            await RunAsync(http, body, next);
            await http.Response.BodyWriter.FlushAsync(CancellationToken.None);
            var settled = http.Response.StatusCode < StatusCodes.Status400BadRequest || http.Items.ContainsKey(MayHaveRun);
            answer = settled ? new StoredResponse(http.Response.StatusCode, [.. http.Response.Headers], Copy(body)) : null;
        }
        finally
        {
            http.Response.Body = callersBody;
            http.Request.Body = callersSent;
            http.RequestAborted = caller;
            requests.Complete(request, answer);
        }

        if (!caller.IsCancellationRequested)
        {
            body.Position = 0;
            await body.CopyToAsync(http.Response.Body, caller);
        }
    }

    // a failure inside the gateway is an answer, too: the request may have had its effect before
    private static async Task RunAsync(HttpContext http, RecyclableMemoryStream body, RequestDelegate next)
    {
        try
        {
            await next(http);
        }
        catch (Exception exception)
        {
            http.Response.Clear();
            body.SetLength(0);
            http.Response.Body = body;
            await HttpRequests.FailedAsync(http, exception, Problems.WriteAsync);
        }
    }

    private static async Task ReplayAsync(HttpContext http, StoredResponse answer)
    {
        http.Response.StatusCode = answer.Status;
        foreach (var (name, value) in answer.Headers.Where(header => !header.Key.Equals(Correlation.Header, StringComparison.OrdinalIgnoreCase)))
        {
            http.Response.Headers[name] = value;
        }

        http.Response.Headers[Replayed] = "true";
        await http.Response.Body.WriteAsync(answer.Body, http.RequestAborted);
    }

    // the stored response outlives the stream, whose blocks return to the pool
    private static byte[] Copy(RecyclableMemoryStream body)
    {
        var copy = GC.AllocateUninitializedArray<byte>((int)body.Length);
        body.GetReadOnlySequence().CopyTo(copy);
        return copy;
    }

    private static async Task<bool> TryReadBodyAsync(HttpContext http, RecyclableMemoryStream body)
    {
        try
        {
            await http.Request.Body.CopyToAsync(body, http.RequestAborted);
            body.Position = 0;
            return true;
        }
        catch (IOException exception) when (Problems.IsOfTheBody(exception))
        {
            await Problems.BadBodyAsync(http, exception, Problems.WriteAsync);
            return false;
        }
        catch (OutOfMemoryException)
        {
            await Problems.WriteAsync(http, null, Failure.NoMemory());
            return false;
        }
    }

    private static string FingerprintOf(HttpRequest request, RecyclableMemoryStream body)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData(Encoding.UTF8.GetBytes($"{request.Method} {request.Path}{request.QueryString} {request.ContentType} {request.Headers.Accept}\n"));
        foreach (var part in body.GetReadOnlySequence())
        {
            hash.AppendData(part.Span);
        }

        return Convert.ToHexString(hash.GetHashAndReset());
    }
}
