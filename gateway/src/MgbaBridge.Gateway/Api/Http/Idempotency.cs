using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Api.Http;

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

    private const int MaxKey = 255;

    private static readonly object MayHaveRun = new();

    /// <summary>Notes that this request failed and may have had its effect all the same.</summary>
    public static void NoteMayHaveRun(HttpContext http) => http.Items[MayHaveRun] = MayHaveRun;

    /// <summary>Takes care of requests that change something and have a key.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var method = http.Request.Method;
        return !http.Request.Headers.TryGetValue(Header, out var key) || HttpMethods.IsGet(method) || HttpMethods.IsHead(method) || HttpMethods.IsOptions(method)
            ? next(http)
            : RunOnceAsync(http, key.ToString(), next);
    }

    private async Task RunOnceAsync(HttpContext http, string key, RequestDelegate next)
    {
        if (key.Length is 0 or > MaxKey || key.AsSpan().ContainsAnyExceptInRange('!', '~'))
        {
            await Problems.BadRequestAsync(http, $"{Header} has to be 1 to {MaxKey} visible characters of ASCII, best a random UUID.");
            return;
        }

        if (await ReadBodyAsync(http) is not { } body)
        {
            return;
        }

        var mine = new IdempotentRequest($"{http.Request.Headers[Callers.HolderHeader]} {key}", FingerprintOf(http.Request, body));
        while (true)
        {
            var request = requests.GetOrAdd(mine, out var isNew);
            if (isNew)
            {
                http.Request.Body = new MemoryStream(body);
                await RunAsync(http, request, next);
                return;
            }

            if (request.Fingerprint != mine.Fingerprint)
            {
                await Problems.KeyReusedAsync(http, $"The key {key} was used for another request. Take a new one for each thing that is to be done.");
                return;
            }

            if (await request.Answer.Task.WaitAsync(http.RequestAborted) is { } answer)
            {
                await ReplayAsync(http, answer);
                return;
            }
        }
    }

    // goes on when the caller leaves: who comes back with the key wants to hear how it ended
    private async Task RunAsync(HttpContext http, IdempotentRequest request, RequestDelegate next)
    {
        var (caller, callersBody) = (http.RequestAborted, http.Response.Body);
        using var body = new MemoryStream();
        StoredResponse? answer = null;
        try
        {
            http.RequestAborted = CancellationToken.None;
            http.Response.Body = body;
            await RunAsync(http, body, next);
            await http.Response.BodyWriter.FlushAsync(CancellationToken.None);
            answer = new StoredResponse(http.Response.StatusCode, [.. http.Response.Headers], body.ToArray());
        }
        finally
        {
            http.Response.Body = callersBody;
            http.RequestAborted = caller;
            var settled = answer?.Status < StatusCodes.Status400BadRequest || http.Items.ContainsKey(MayHaveRun);
            requests.Complete(request, settled ? answer : null);
        }

        if (!caller.IsCancellationRequested)
        {
            await http.Response.Body.WriteAsync(answer.Body, caller);
        }
    }

    // a defect is an answer, too: what failed here may have had its effect before
    private static async Task RunAsync(HttpContext http, MemoryStream body, RequestDelegate next)
    {
        try
        {
            await next(http);
        }
        catch (Exception exception)
        {
            Log.EndpointDefect(http.RequestServices.GetRequiredService<ILogger<Idempotency>>(), http.Request.Method, http.Request.Path, exception);
            http.Response.Clear();
            body.SetLength(0);
            http.Response.Body = body;
            await Problems.DefectAsync(http, exception.Message);
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

    private static async Task<byte[]?> ReadBodyAsync(HttpContext http)
    {
        try
        {
            using var whole = new MemoryStream();
            await http.Request.Body.CopyToAsync(whole, http.RequestAborted);
            return whole.ToArray();
        }
        catch (BadHttpRequestException exception)
        {
            await Problems.BadBodyAsync(http, exception);
            return null;
        }
    }

    private static string FingerprintOf(HttpRequest request, byte[] body)
    {
        var head = Encoding.UTF8.GetBytes($"{request.Method} {request.Path}{request.QueryString} {request.ContentType} {request.Headers.Accept}\n");
        return Convert.ToHexString(SHA256.HashData([.. head, .. body]));
    }
}
