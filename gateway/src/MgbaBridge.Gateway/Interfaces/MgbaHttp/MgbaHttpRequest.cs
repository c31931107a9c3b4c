using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using Microsoft.Net.Http.Headers;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>A request of one of mGBA-http's paths: values from the query by their names there; plain text as the response.</summary>
internal readonly struct MgbaHttpRequest : IInterfaceRequest<MgbaHttpRequest>
{
    private const string Text = "text/plain";

    private static readonly RequestOptions AsCompat = new() { Holder = Holder.Compat, OutlastsSilence = true };
    private static readonly TimeSpan RetryTimeout = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    private readonly HttpContext _http;
    private readonly CompatibilityOptions _options;
    private readonly TimeProvider _time;
    private readonly long _began;

    private MgbaHttpRequest(HttpContext http, EmulatorClient emulator, IServiceProvider services, CompatibilityOptions options)
    {
        (_http, _options, _time) = (http, options, services.GetRequiredService<TimeProvider>());
        _began = _time.GetTimestamp();
        Invocation = new Invocation(emulator, http.Credential()?.Owner is { } owner ? AsCompat with { Owner = owner } : AsCompat, services, http.RequestAborted) { Caller = http.Caller() };
    }

    public Invocation Invocation { get; }

    /// <summary>Serves a request, as the one holder that all of them share.</summary>
    public static Task ServeAsync(HttpContext http, Operation operation, IServiceProvider services, CompatibilityOptions options) =>
        http.WithEmulatorAsync(
            (operation, services, options),
            static (http, emulator, state) => state.operation.ServeAsync(new MgbaHttpRequest(http, emulator, state.services, state.options)),
            write: MgbaHttpFailures.WriteAsync);

    public ValueTask<BoundRequest<TRequest>> ReadAsync<TRequest>(Parameters<TRequest> parameters)
    {
        if (parameters.HasBody && !HasState)
        {
            // not by routing, which would answer before the role is checked
            _http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            return default;
        }

        if (QueryParameters.ErrorIn(_http.Request.Query, parameters.All) is { } error)
        {
            return RefuseAsync<TRequest>(error);
        }

        return parameters.HasBody ? ReadBodyAsync(parameters)
            : parameters.Read(_http.Request.Query, QueryParameters.TextOf, out var request) is { } wrong ? RefuseAsync<TRequest>(QueryError.InScript(wrong))
            : ValueTask.FromResult(new BoundRequest<TRequest>(true, request));
    }

    public void Release<TRequest>(Parameters<TRequest> parameters, in BoundRequest<TRequest> request)
    {
        if (IsRaw)
        {
            RawBody.Done(_http, request.Body);
        }
    }

    public ValueTask WriteAsync<TRequest, TResponse>(Operation<TRequest, TResponse> operation, Result<TResponse> result) =>
        result.Failure is { } failure ? MgbaHttpFailures.WriteAsync(_http, failure, _options)
        : PlainText.WriteAsync(_http, (MgbaHttpAnswer)(object)result.Value!, _options.Dialect);

    /// <summary>
    /// While a game pauses for a moment, because of a menu or a busy machine, other requests fail at once; mGBA-http waits three seconds, and its
    /// clients rely on that. A command that was sent remains pending (<see cref="RequestOptions.OutlastsSilence"/>); only one that was not sent is sent again.
    /// </summary>
    public async ValueTask<EmulatorClient?> SuccessorAsync(EmulatorClient emulator, CommandFailure failure, bool isRead)
    {
        while (failure.Kind == CommandFailureKind.Silent && _time.GetElapsedTime(_began) < RetryTimeout)
        {
            await Task.Delay(Pause, _time, _http.RequestAborted);
            if (emulator.Health.State != EmulatorState.Silent)
            {
                return emulator;
            }
        }

        return null;
    }

    public ValueTask RunLongAsync(Func<MgbaHttpRequest, ValueTask> run) => run(this);

    // what has no type may still be a body
    private bool HasState => _http.Request.ContentType is null
        ? _http.Request is not { ContentLength: null or 0, Headers.TransferEncoding.Count: 0 }
        : IsOf(Text) || IsRaw;

    private bool IsRaw => IsOf(PlainText.Bytes);

    private bool IsOf(string expected) =>
        MediaTypeHeaderValue.TryParse(_http.Request.ContentType, out var media) && media.MediaType.Equals(expected, StringComparison.OrdinalIgnoreCase);

    private async ValueTask<BoundRequest<TRequest>> ReadBodyAsync<TRequest>(Parameters<TRequest> parameters)
    {
        var body = await RawBody.ReadAsync(_http);
        var state = body;
        if (!IsRaw)
        {
            var bytes = new byte[HexText.MaxBytes(body.Length)];
            var isState = HexText.TryRead(body, bytes, out var length);
            RawBody.Done(_http, body);
            if (!isState)
            {
                return await RefuseAsync<TRequest>(QueryError.InScript("The body is not a state; expected bytes in hexadecimal in brackets as from /core/savestatebuffer, such as [d3,00,ea]."));
            }

            state = new ReadOnlySequence<byte>(bytes, 0, length);
        }

        return parameters.Read(_http.Request.Query, QueryParameters.TextOf, state, out var request) is { } wrong
            ? await RefuseAsync<TRequest>(QueryError.InScript(wrong))
            : new BoundRequest<TRequest>(true, request, state);
    }

    private async ValueTask<BoundRequest<TRequest>> RefuseAsync<TRequest>(QueryError error)
    {
        await MgbaHttpFailures.WriteAsync(_http, error.Status, error.Text);
        return default;
    }
}
