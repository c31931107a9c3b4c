using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;

namespace MgbaBridge.Http;

/// <summary>A gateway, and what all requests to it have in common.</summary>
internal sealed class Connection : IDisposable
{
    private const double FramesPerSecond = 50; // a game that runs slower needs a longer time limit

    private const double LongestSeconds = 40 * 24 * 3600; // timers have a limit

    private readonly string _base;
    private readonly HttpClient _http;

    public Connection(string url, string? token, string holder, TimeSpan timeout)
    {
        if (!Uri.TryCreate(url, UriKind.Absolute, out var parsed) || parsed.Scheme is not ("http" or "https") || parsed.Query + parsed.Fragment + parsed.UserInfo is not "")
        {
            throw new ArgumentException($"\"{url}\" is not the URL of a gateway; it has the form http://127.0.0.1:5000.", nameof(url));
        }

        CheckVisible(token, nameof(token));
        CheckVisible(holder, nameof(holder));
        (Url, Holder, Timeout, _base) = (url, holder, timeout, parsed.AbsoluteUri.TrimEnd('/'));
        _http = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false, ConnectTimeout = TimeSpan.FromSeconds(10), UseCookies = false, UseProxy = false })
        {
            Timeout = System.Threading.Timeout.InfiniteTimeSpan, // each request has its own
        };
        _http.DefaultRequestHeaders.Add("Mgba-Holder", holder);
        _http.DefaultRequestHeaders.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
    }

    public string Url { get; }

    public string Holder { get; }

    public TimeSpan Timeout
    {
        get;
        set => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "The time limit must be more than 0.");
    }

    public static void CheckVisible(string? value, string name)
    {
        if (value is not null && (value.Length == 0 || value.Any(letter => letter is <= ' ' or > '~')))
        {
            throw new ArgumentException($"{name} must consist of visible ASCII characters.", name);
        }
    }

    /// <summary>Sends a request. Reads, and effects with an idempotency key, are sent once more when the connection ends before the response.</summary>
    public async Task<Response> SendAsync(string emulator, Request request, CancellationToken cancellationToken)
    {
        var key = request.IsKeyed ? Guid.NewGuid().ToString("N") : null;
        try
        {
            return await SendOnceAsync(emulator, request, key, cancellationToken);
        }
        catch (GatewayException exception) when (exception.Kind == GatewayException.Unreachable && exception.MayHaveRun && request.IsRepeatable)
        {
            return await SendOnceAsync(emulator, request, key, cancellationToken);
        }
    }

    /// <summary>The response to a request for a stream.</summary>
    public async Task<HttpResponseMessage> OpenAsync(string emulator, Request request, CancellationToken cancellationToken)
    {
        var time = TimeOf(request);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(time);
        var response = await ExplainedAsync(request, time, () => StartAsync(emulator, request, null, limit.Token), limit.Token, cancellationToken);
        if (response.StatusCode != HttpStatusCode.OK)
        {
            using (response)
            {
                var bytes = await ExplainedAsync(request, time, () => response.Content.ReadAsByteArrayAsync(limit.Token), limit.Token, cancellationToken);
                throw FailureOf(response, bytes);
            }
        }

        return response;
    }

    /// <summary>What a connection that ended means.</summary>
    public GatewayException Ended(string operation, bool mayHaveRun, Exception? cause) => new(
        GatewayException.Unreachable,
        $"{operation}: the connection to {Url} ended before the response{(mayHaveRun ? "; the request may have run" : "")}. Check the gateway and the URL.",
        mayHaveRun,
        cause);

    public GatewayException NotAGateway(string found, Exception? cause = null) =>
        new(GatewayException.Unreachable, $"{Url} is not a gateway of mGBA-bridge: it answered with {found}; check the URL.", mayHaveRun: false, cause);

    public void Dispose() => _http.Dispose();

    private TimeSpan TimeOf(Request request) =>
        TimeSpan.FromSeconds(Math.Min(Timeout.TotalSeconds + (Math.Max(request.Frames ?? 0, 0) / FramesPerSecond), LongestSeconds));

    private async Task<Response> SendOnceAsync(string emulator, Request request, string? key, CancellationToken cancellationToken)
    {
        var time = TimeOf(request);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(time);
        var (response, bytes) = await ExplainedAsync(request, time, () => ReceiveAsync(emulator, request, key, limit.Token), limit.Token, cancellationToken);
        using (response)
        {
            return response.StatusCode == HttpStatusCode.OK ? new Response(response.Headers, bytes) : throw FailureOf(response, bytes);
        }
    }

    private async Task<(HttpResponseMessage Response, byte[] Bytes)> ReceiveAsync(string emulator, Request request, string? key, CancellationToken limit)
    {
        var response = await StartAsync(emulator, request, key, limit);
        try
        {
            return (response, await response.Content.ReadAsByteArrayAsync(limit));
        }
        catch
        {
            response.Dispose();
            throw;
        }
    }

    private async Task<HttpResponseMessage> StartAsync(string emulator, Request request, string? key, CancellationToken limit)
    {
        using var content = request.Content();
        using var message = new HttpRequestMessage(request.Method, $"{_base}{(request.IsOfGateway ? "" : emulator)}{request.Path}") { Content = content };
        if (key is not null)
        {
            message.Headers.Add("Idempotency-Key", key);
        }

        return await _http.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, limit);
    }

    /// <summary>Turns the exceptions of <see cref="HttpClient"/> into those of this package.</summary>
    private async Task<T> ExplainedAsync<T>(Request request, TimeSpan time, Func<Task<T>> action, CancellationToken limit, CancellationToken cancellationToken)
    {
        try
        {
            return await action();
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            throw limit.IsCancellationRequested
                ? new GatewayException(
                    GatewayException.Timeout,
                    string.Create(CultureInfo.InvariantCulture, $"{request.Operation}: no response within {time.TotalSeconds} s; the request may still run. Raise Timeout, or look at StatusGetAsync."),
                    mayHaveRun: true,
                    exception)
                : NoAnswer("no connection within 10 s", exception);
        }
        catch (HttpRequestException exception) when (exception.HttpRequestError is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError)
        {
            throw NoAnswer(exception.Message, exception);
        }
        catch (HttpRequestException exception) when (exception.HttpRequestError is HttpRequestError.InvalidResponse)
        {
            throw NotAGateway("something else than HTTP", exception);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException)
        {
            throw Ended(request.Operation, mayHaveRun: true, exception);
        }
    }

    private GatewayException NoAnswer(string reason, Exception cause) =>
        new(GatewayException.Unreachable, $"No gateway answers at {Url} ({reason}); start one with mgba-bridge run, or check the URL.", mayHaveRun: false, cause);

    private GatewayException FailureOf(HttpResponseMessage response, byte[] bytes)
    {
        if (response.Content.Headers.ContentType?.MediaType != "application/problem+json")
        {
            return NotAGateway(string.Create(CultureInfo.InvariantCulture, $"status {(int)response.StatusCode}"));
        }

        try
        {
            return new GatewayException(JsonSerializer.Deserialize(bytes, ProblemJson.Default.Problem)!, response.Headers.RetryAfter?.Delta);
        }
        catch (JsonException exception)
        {
            return NotAGateway("JSON that cannot be read", exception);
        }
    }
}

/// <summary>A response with status 200.</summary>
internal sealed record Response(HttpResponseHeaders Headers, byte[] Bytes)
{
    /// <summary>The number in a header.</summary>
    public int Number(string header) => int.Parse(Headers.GetValues(header).Single(), CultureInfo.InvariantCulture);
}
