using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Gateway.Interfaces.Http;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>
/// MCP on standard input and output: forwards each message to <c>/mcp</c> of a gateway and writes what it answers. A session that the gateway has
/// ended, for instance because it restarted, is begun again without the client noticing.
/// </summary>
internal sealed class StdioForwarder : IDisposable
{
    private const int MaxPending = 64;
    private const int GatewayError = -32000;

    private static readonly TimeSpan LastAnswers = TimeSpan.FromSeconds(2);
    internal static readonly JsonTypeInfo<JsonRpcMessage> MessageJson = (JsonTypeInfo<JsonRpcMessage>)McpJsonUtilities.DefaultOptions.GetTypeInfo(typeof(JsonRpcMessage));

    private readonly HttpClientTransportOptions _gateway;
    private readonly HttpClient _http;
    private readonly Stream _output;
    private readonly SemaphoreSlim _writing = new(1, 1);
    private readonly SemaphoreSlim _pendingSlots = new(MaxPending, MaxPending);
    private readonly SemaphoreSlim _beginning = new(1, 1);
    private readonly ConcurrentDictionary<RequestId, CancellationTokenSource> _pending = new();
    private readonly CancellationTokenSource _over = new();
    private JsonRpcRequest? _initialize;
    private ITransport? _session;
    private Task _copying = Task.CompletedTask;

    /// <summary>Makes one.</summary>
    /// <param name="gateway">The gateway.</param>
    /// <param name="token">Its token, or null.</param>
    /// <param name="output">Receives the messages for the client, one a line.</param>
    /// <param name="toolsets">The toolsets that the client gets besides the usual tools, or null.</param>
    public StdioForwarder(Uri gateway, AuthenticationHeaderValue? token, Stream output, string? toolsets = null)
    {
        _output = output;
        _gateway = new HttpClientTransportOptions { Endpoint = new Uri(gateway, toolsets is null ? McpEndpoint.Path : $"{McpEndpoint.Path}?{ToolsetNames.Parameter}={toolsets}"), TransportMode = HttpTransportMode.StreamableHttp };
        _http = new HttpClient(new StdioFailures(new SocketsHttpHandler { UseProxy = false, UseCookies = false, AllowAutoRedirect = false, ConnectTimeout = TimeSpan.FromSeconds(5) }))
        {
            Timeout = Timeout.InfiniteTimeSpan,
            DefaultRequestHeaders = { Authorization = token },
        };

        // all sessions of this process are of one agent
        _http.DefaultRequestHeaders.Add(HolderHeader.Name, $"stdio-{RandomNumberGenerator.GetHexString(8, lowercase: true)}");
    }

    /// <summary>Forwards until the input ends.</summary>
    public async Task RunAsync(Stream input, CancellationToken cancellationToken)
    {
        using var stopping = cancellationToken.Register(_over.Cancel);
        using var reader = new StreamReader(input);
        var tasks = new ConcurrentDictionary<Task, bool>();
        try
        {
            _session = await ConnectAsync();
            _copying = CopyAsync(_session);
            while (await reader.ReadLineAsync(_over.Token).AsTask().WaitAsync(_over.Token) is { } line) // a read of the console cannot be cancelled
            {
                if (await ParseAsync(line) is JsonRpcRequest request)
                {
                    await _pendingSlots.WaitAsync(_over.Token);
                    var task = AnswerAsync(request);
                    tasks.TryAdd(task, true);
                    _ = task.ContinueWith(done => tasks.TryRemove(done, out _), TaskScheduler.Default);
                    if (request.Method == RequestMethods.Initialize)
                    {
                        await task; // what follows belongs to the session
                    }
                }
            }

            // answers that are on their way still come when the input is a file
            await Task.WhenAny(Task.WhenAll(tasks.Keys), Task.Delay(LastAnswers, _over.Token));
        }
        catch (OperationCanceledException)
        {
            // it is stopped
        }
        finally
        {
            await _over.CancelAsync();
            await Task.WhenAll(tasks.Keys).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await (_session is null ? Task.CompletedTask : EndAsync(_session, _copying));
        }
    }

    public void Dispose()
    {
        _http.Dispose();
        _over.Dispose();
        _writing.Dispose();
        _pendingSlots.Dispose();
        _beginning.Dispose();
    }

    /// <summary>The message of a line; one that is no request is forwarded, in its order.</summary>
    private async Task<JsonRpcMessage?> ParseAsync(string line)
    {
        try
        {
            var message = string.IsNullOrWhiteSpace(line) ? null : JsonSerializer.Deserialize(line, MessageJson);
            if (message is not null and not JsonRpcRequest)
            {
                await NotifyAsync(message);
            }

            return message;
        }
        catch (JsonException exception)
        {
            await WriteAsync(Error(default, (int)McpErrorCode.ParseError, $"The line is not one JSON-RPC message: {exception.Message}"));
            return null;
        }
    }

    private async Task NotifyAsync(JsonRpcMessage message)
    {
        if (message is JsonRpcNotification { Method: NotificationMethods.CancelledNotification, Params: { } parameters }
            && parameters.Deserialize((JsonTypeInfo<CancelledNotificationParams>)McpJsonUtilities.DefaultOptions.GetTypeInfo(typeof(CancelledNotificationParams))) is { } cancelled
            && _pending.TryRemove(cancelled.RequestId, out var pending) && _session?.SessionId is null)
        {
            await pending.CancelAsync(); // without a session a request is cancelled by closing its connection
            return;
        }

        try
        {
            await SendAsync(message, _over.Token);
        }
        catch (Exception) when (!_over.IsCancellationRequested)
        {
            // nobody waits for an answer
        }
    }

    private async Task AnswerAsync(JsonRpcRequest request)
    {
        using var cancelled = CancellationTokenSource.CreateLinkedTokenSource(_over.Token);
        _pending[request.Id] = cancelled;
        try
        {
            if (request.Method == RequestMethods.Initialize)
            {
                _initialize = request;
                await ReplaceAsync(await ConnectAsync());
            }

            await SendAsync(request, cancelled.Token);
        }
        catch (ProtocolErrorException exception)
        {
            await WriteAsync(new JsonRpcError { Id = request.Id, Error = exception.Error });
        }
        catch (HttpRequestException exception) when (exception.StatusCode is not null)
        {
            await WriteAsync(Error(request.Id, GatewayError, exception.Message));
        }
        catch (Exception) when (cancelled.IsCancellationRequested || !_pending.ContainsKey(request.Id))
        {
            // the client has cancelled it, or has left
        }
        catch (Exception exception)
        {
            await WriteAsync(Away(request, exception is HttpRequestException or IOException ? exception.Message : "it has ended."));
        }
        finally
        {
            _pending.TryRemove(request.Id, out _);
            _pendingSlots.Release();
        }
    }

    private async Task SendAsync(JsonRpcMessage message, CancellationToken cancelled)
    {
        var session = _session!;
        if (session.MessageReader.Completion.IsCompleted)
        {
            session = await BeginAgainAsync(session, cancelled);
        }

        try
        {
            await session.SendMessageAsync(message, cancelled);
        }
        catch (Exception exception) when (MayBeSentAgain(exception, session, message, cancelled))
        {
            session = await BeginAgainAsync(session, cancelled);
            await session.SendMessageAsync(message, cancelled);
        }
    }

    // its session had ended, and it did nothing; or the session ended meanwhile, and it only reads
    private static bool MayBeSentAgain(Exception exception, ITransport session, JsonRpcMessage message, CancellationToken cancelled) => exception switch
    {
        HttpRequestException refused => refused.StatusCode == HttpStatusCode.NotFound && session.SessionId is not null,
        IOException => false,
        _ => !cancelled.IsCancellationRequested && message is JsonRpcRequest { Method: not RequestMethods.ToolsCall },
    };

    private async Task<ITransport> BeginAgainAsync(ITransport ended, CancellationToken cancelled)
    {
        await _beginning.WaitAsync(cancelled);
        try
        {
            if (_session == ended)
            {
                var next = await ConnectAsync();
                await next.SendMessageAsync(_initialize!, cancelled);
                while (next.MessageReader.TryRead(out _))
                {
                    // the client has the answer to its initialize already
                }

                await next.SendMessageAsync(new JsonRpcNotification { Method = NotificationMethods.InitializedNotification }, cancelled);
                await ReplaceAsync(next);
            }

            return _session!;
        }
        finally
        {
            _beginning.Release();
        }
    }

    private Task<ITransport> ConnectAsync() => new HttpClientTransport(_gateway, _http).ConnectAsync(_over.Token);

    private async Task ReplaceAsync(ITransport next)
    {
        var (session, copying) = (_session!, _copying);
        (_session, _copying) = (next, CopyAsync(next));
        await EndAsync(session, copying);
    }

    // it ends by itself later if the gateway does not answer
    private static Task EndAsync(ITransport session, Task copying) =>
        Task.WhenAll(session.DisposeAsync().AsTask(), copying).WaitAsync(LastAnswers).ContinueWith(static _ => { }, TaskScheduler.Default);

    private async Task CopyAsync(ITransport session)
    {
        await foreach (var message in session.MessageReader.ReadAllAsync())
        {
            await WriteAsync(message);
        }
    }

    // of a call the result that a failed call has, else an error
    private JsonRpcMessage Away(JsonRpcRequest request, string reason)
    {
        var text = $"The gateway at {_gateway.Endpoint} does not answer: {reason.TrimEnd('.')}. If it was doing something, that may have had its effect. Next: ask the person to start mgba-bridge, then call observe.";
        return request.Method != RequestMethods.ToolsCall ? Error(request.Id, GatewayError, text) : new JsonRpcResponse
        {
            Id = request.Id,
            Result = JsonSerializer.SerializeToNode(new CallToolResult { IsError = true, Content = [new TextContentBlock { Text = text }] }, McpJsonUtilities.DefaultOptions.GetTypeInfo(typeof(CallToolResult))),
        };
    }

    private static JsonRpcError Error(RequestId id, int code, string message) => new() { Id = id, Error = new JsonRpcErrorDetail { Code = code, Message = message } };

    private async Task WriteAsync(JsonRpcMessage message)
    {
        var line = JsonSerializer.SerializeToUtf8Bytes(message, MessageJson);
        await _writing.WaitAsync(CancellationToken.None);
        try
        {
            await _output.WriteAsync(line, CancellationToken.None);
            await _output.WriteAsync("\n"u8.ToArray(), CancellationToken.None);
            await _output.FlushAsync(CancellationToken.None);
        }
        catch (IOException)
        {
            await _over.CancelAsync(); // the client has closed its end
        }
        finally
        {
            _writing.Release();
        }
    }
}

/// <summary>Makes an exception with its reason of what a gateway refuses, except where a session has ended: that is for the transport.</summary>
internal sealed class StdioFailures(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var response = await base.SendAsync(request, cancellationToken);
        if (response.IsSuccessStatusCode || request.Method != HttpMethod.Post || (response.StatusCode == HttpStatusCode.NotFound && request.Headers.Contains(McpEndpoint.SessionHeader)))
        {
            return response;
        }

        using (response)
        {
            var answer = await response.Content.ReadAsStringAsync(cancellationToken);
            throw ErrorIn(answer) is { } error ? new ProtocolErrorException(error, response.StatusCode)
                : new HttpRequestException(ReasonIn(answer) ?? $"The gateway answered with status {(int)response.StatusCode}.", null, response.StatusCode);
        }
    }

    private static JsonRpcErrorDetail? ErrorIn(string answer)
    {
        try
        {
            return JsonSerializer.Deserialize(answer, StdioForwarder.MessageJson) is JsonRpcError { Error: { } error } ? error : null;
        }
        catch (JsonException)
        {
            return null; // no JSON-RPC, but a problem of HTTP
        }
    }

    private static string? ReasonIn(string answer)
    {
        try
        {
            return (string?)JsonNode.Parse(answer)?["detail"];
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            return null;
        }
    }
}

/// <summary>A gateway has refused a request with an error of the protocol, which is for the client.</summary>
internal sealed class ProtocolErrorException(JsonRpcErrorDetail error, HttpStatusCode status) : HttpRequestException(error.Message, null, status)
{
    /// <summary>The error.</summary>
    public JsonRpcErrorDetail Error { get; } = error;
}
