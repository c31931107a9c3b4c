using System.Buffers;
using System.Collections.Concurrent;
using System.IO.Pipelines;
using System.Net;
using System.Net.Http.Headers;
using System.Net.ServerSentEvents;

namespace MgbaBridge.Gateway.Mcp.Server;

/// <summary>
/// MCP on standard input and output: forwards each message to <c>/mcp</c> of a gateway and writes what it answers. A session that the gateway has
/// ended, for instance because it restarted, is begun again without the client noticing.
/// </summary>
internal sealed class StdioForwarder : IDisposable
{
    private const int MaxMessage = 8_388_608;
    private const int MaxPending = 64;
    private const string Initialize = "initialize";

    private static readonly TimeSpan LastAnswers = TimeSpan.FromSeconds(2);

    private readonly StdioGateway _gateway;
    private readonly Stream _output;
    private readonly SemaphoreSlim _writing = new(1, 1);
    private readonly SemaphoreSlim _pendingSlots = new(MaxPending, MaxPending);
    private readonly SemaphoreSlim _beginning = new(1, 1);
    private readonly ConcurrentDictionary<string, CancellationTokenSource> _pending = new();
    private readonly CancellationTokenSource _over = new();
    private StdioMessage? _initialize;
    private string? _session;
    private string? _version;
    private Task _stream = Task.CompletedTask;

    /// <summary>Makes one.</summary>
    /// <param name="gateway">The gateway.</param>
    /// <param name="token">Its token, or null.</param>
    /// <param name="output">Receives the messages for the client, one a line.</param>
    public StdioForwarder(Uri gateway, AuthenticationHeaderValue? token, Stream output) => (_gateway, _output) = (new StdioGateway(gateway, token), output);

    /// <summary>Forwards until the input ends.</summary>
    public async Task RunAsync(Stream input, CancellationToken cancellationToken)
    {
        using var stopping = cancellationToken.Register(_over.Cancel);
        var reader = PipeReader.Create(input);
        var tasks = new ConcurrentDictionary<Task, bool>();
        try
        {
            while (await ReadLineAsync(reader) is { } line)
            {
                if (line.Length == 0)
                {
                    continue;
                }

                var message = StdioMessage.Parse(line);
                if (message.IsRequest)
                {
                    await _pendingSlots.WaitAsync(_over.Token);
                    var task = AnswerAsync(message);
                    tasks.TryAdd(task, true);
                    _ = task.ContinueWith(done => tasks.TryRemove(done, out _), TaskScheduler.Default);
                    if (message.Method == Initialize)
                    {
                        await task; // what follows belongs to the session
                    }
                }
                else
                {
                    await NotifyAsync(message); // in their order
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
            await Task.WhenAll([.. tasks.Keys, _stream]).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await EndSessionAsync();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _gateway.Dispose();
        _over.Dispose();
        _writing.Dispose();
        _pendingSlots.Dispose();
        _beginning.Dispose();
    }

    private async Task<byte[]?> ReadLineAsync(PipeReader reader)
    {
        while (true)
        {
            var read = await reader.ReadAsync().AsTask().WaitAsync(_over.Token); // a read of the console cannot be cancelled
            if (read.Buffer.PositionOf((byte)'\n') is { } end)
            {
                var line = read.Buffer.Slice(0, end).ToArray();
                reader.AdvanceTo(read.Buffer.GetPosition(1, end));
                return line is [.. var text, (byte)'\r'] ? text : line;
            }

            if (read.IsCompleted || read.Buffer.Length > MaxMessage)
            {
                reader.AdvanceTo(read.Buffer.End);
                return null;
            }

            reader.AdvanceTo(read.Buffer.Start, read.Buffer.End);
        }
    }

    private async Task NotifyAsync(StdioMessage message)
    {
        if (message.CancelledRequest is { } cancelled && _pending.TryRemove(cancelled, out var pending) && _session is null)
        {
            await pending.CancelAsync(); // without a session a request is cancelled by closing its connection
            return;
        }

        try
        {
            using var response = await SendAsync(message, _over.Token);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException)
        {
            // nobody waits for an answer
        }
    }

    private async Task AnswerAsync(StdioMessage message)
    {
        using var cancelled = CancellationTokenSource.CreateLinkedTokenSource(_over.Token);
        _pending[message.Id!] = cancelled;
        try
        {
            if (message.Method == Initialize)
            {
                (_initialize, _session, _version) = (message, null, null);
            }

            using var response = await SendAsync(message, cancelled.Token);
            if (!response.IsSuccessStatusCode)
            {
                await WriteAsync(message.Error(await StdioGateway.ReasonAsync(response)));
            }
            else if (!await CopyAsync(message, response, cancelled.Token) && _pending.ContainsKey(message.Id!))
            {
                await WriteAsync(message.Failure(_gateway.Away("it has ended.")));
            }
        }
        catch (OperationCanceledException) // the client has cancelled it, or has left
        {
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException)
        {
            await WriteAsync(message.Failure(_gateway.Away(exception.Message)));
        }
        finally
        {
            _pending.TryRemove(message.Id!, out _);
            _pendingSlots.Release();
        }
    }

    /// <summary>Writes the messages of a response. Returns whether the answer was among them.</summary>
    private async Task<bool> CopyAsync(StdioMessage message, HttpResponseMessage response, CancellationToken cancelled)
    {
        var isAnswered = false;
        var stream = await response.Content.ReadAsStreamAsync(cancelled);
        await foreach (var item in SseParser.Create(stream, static (_, data) => data.ToArray()).EnumerateAsync(cancelled))
        {
            if (message.Method == Initialize && StdioMessage.VersionIn(item.Data) is { } version)
            {
                Begun(response, version);
            }

            isAnswered |= message.IsAnsweredBy(item.Data);
            await WriteAsync(item.Data);
        }

        return isAnswered;
    }

    private async Task<HttpResponseMessage> SendAsync(StdioMessage message, CancellationToken cancelled)
    {
        var session = _session;
        var response = await _gateway.PostAsync(message, session, _version, cancelled);
        if (response.StatusCode != HttpStatusCode.NotFound || session is null || _initialize is null)
        {
            return response;
        }

        // the session has ended, and the message did nothing
        response.Dispose();
        await BeginAgainAsync(session, cancelled);
        return await _gateway.PostAsync(message, _session, _version, cancelled);
    }

    private async Task BeginAgainAsync(string ended, CancellationToken cancelled)
    {
        await _beginning.WaitAsync(cancelled);
        try
        {
            if (_session != ended)
            {
                return;
            }

            using var response = await _gateway.PostAsync(_initialize!, null, null, cancelled);
            var stream = await response.Content.ReadAsStreamAsync(cancelled);
            await foreach (var item in SseParser.Create(stream, static (_, data) => data.ToArray()).EnumerateAsync(cancelled))
            {
                if (StdioMessage.VersionIn(item.Data) is { } version)
                {
                    Begun(response, version);
                    using var noted = await _gateway.PostAsync(StdioMessage.Initialized, _session, _version, cancelled);
                }
            }
        }
        finally
        {
            _beginning.Release();
        }
    }

    private void Begun(HttpResponseMessage response, string version)
    {
        (_version, _session) = (version, response.Headers.TryGetValues(McpEndpoint.SessionHeader, out var ids) ? ids.First() : null);
        if (_session is { } session)
        {
            _stream = ListenAsync(session);
        }
    }

    /// <summary>Writes the messages of a session that are no answers.</summary>
    private async Task ListenAsync(string session)
    {
        try
        {
            using var response = await _gateway.SendAsync(HttpMethod.Get, session, _version, _over.Token);
            if (response.IsSuccessStatusCode)
            {
                await foreach (var item in SseParser.Create(await response.Content.ReadAsStreamAsync(_over.Token), static (_, data) => data.ToArray()).EnumerateAsync(_over.Token))
                {
                    await WriteAsync(item.Data);
                }
            }
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or OperationCanceledException)
        {
            // the next request begins a session again
        }
    }

    private async Task EndSessionAsync()
    {
        if (_session is not { } session)
        {
            return;
        }

        try
        {
            using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(2));
            using var response = await _gateway.SendAsync(HttpMethod.Delete, session, _version, patience.Token);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or OperationCanceledException)
        {
            // it ends by itself later
        }
    }

    private async Task WriteAsync(byte[] line)
    {
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
