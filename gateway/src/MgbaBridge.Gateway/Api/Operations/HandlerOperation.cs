using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>An operation that runs code of the gateway: no command at all, or several.</summary>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public sealed class HandlerOperation<TRequest, TResponse>(string name, string method, string path, Access access)
    : Operation(name, method, path, access)
{
    /// <summary>The parameters, and what they make.</summary>
    public required Parameters<TRequest> Request
    {
        get;
        init => field = value.For(Method, Path);
    }

    /// <summary>An example of the request's JSON body, for the document.</summary>
    public string? RequestExample { get; init; }

    /// <summary>Does the work.</summary>
    public required Func<OperationContext, TRequest, ValueTask<OperationResult<TResponse>>> Run { get; init; }

    /// <summary>How the response is written as JSON.</summary>
    public required LazyJsonTypeInfo<TResponse> Response { get; init; }

    /// <summary>An example of the response as JSON, for the document.</summary>
    public string? ResponseExample { get; init; }

    /// <summary>The media type of the HTTP response where it is the bytes of an <see cref="IBytesAnswer"/>; null for JSON.</summary>
    public string? MediaType { get; init; }

    /// <inheritdoc/>
    public override bool IsOverWebSocket => true;

    /// <inheritdoc/>
    public override void Accept(IOperationVisitor visitor) => visitor.Visit(this);

    /// <inheritdoc/>
    internal override IEnumerable<JsonSerializerContext> JsonContexts => [Response.Context];

    /// <inheritdoc/>
    internal override OperationDescription Describe() => new(Tag, Summary)
    {
        Description = Description,
        Inputs = InputsWith(IsEffect && UsesEmulator),
        Parameters = Request.All,
        Places = Request.Places,
        BodyExample = RequestExample,
        Answers = [MediaType is null ? new Content("application/json", typeof(TResponse), ResponseExample) : Content.Bytes(MediaType)],
        UsesEmulator = UsesEmulator,
        OtherResponses = OtherResponses,
    };
}

/// <summary>What a handler runs with.</summary>
/// <param name="Emulator">The emulator that is meant; null when there is none and the operation exists once.</param>
/// <param name="Options">The caller's holder, to send commands with.</param>
/// <param name="Services">What exists once.</param>
/// <param name="Cancelled">Cancelled when the caller leaves.</param>
public sealed record OperationContext(EmulatorClient Emulator, RequestOptions Options, IServiceProvider Services, CancellationToken Cancelled)
{
    /// <summary>The caller's session; null when its requests have none in common, as over HTTP.</summary>
    public IOperationSession? Session { get; init; }

    /// <summary>Something there is one of.</summary>
    public T Single<T>()
        where T : notnull => Services.GetRequiredService<T>();

    /// <summary>Sends a command and makes the response of its reply.</summary>
    public async ValueTask<OperationResult<TResponse>> SendAsync<TCommand, TResponse>(TCommand command, Func<Reply, TResponse> read, TimeSpan? timeout = null)
        where TCommand : struct, ICommand<TCommand>
    {
        using var reply = await Emulator.SendAsync(command, Options with { Timeout = Options.Timeout ?? timeout }, Cancelled);
        return OperationResult.Of(reply, read);
    }
}

/// <summary>What came of a handler: a response, or why there is none.</summary>
/// <param name="Response">The response.</param>
/// <param name="Refusal">Why there is none, or null.</param>
/// <param name="Frame">The frame that the response belongs to, or null for none.</param>
/// <param name="Epoch">The epoch that the response belongs to.</param>
public readonly record struct OperationResult<TResponse>(TResponse? Response, Refusal? Refusal, long? Frame = null, uint Epoch = 0)
{
    /// <summary>A response.</summary>
    public static implicit operator OperationResult<TResponse>(TResponse response) => new(response, null);

    /// <summary>No response.</summary>
    public static implicit operator OperationResult<TResponse>(Refusal refusal) => new(default, refusal);

    /// <summary>The same, of a frame.</summary>
    public OperationResult<TResponse> At(long frame, uint epoch) => this with { Frame = frame, Epoch = epoch };
}

/// <summary>Makes results of replies.</summary>
internal static class OperationResult
{
    /// <summary>The response that <paramref name="read"/> makes of a reply, or why there is none; of the reply's frame.</summary>
    public static OperationResult<TResponse> Of<TResponse>(Reply reply, Func<Reply, TResponse> read)
    {
        OperationResult<TResponse> result = reply.Failure is { } failure ? Refusal.Of(failure) : read(reply);
        return reply.Frame > 0 || reply.Failure is null ? result.At(reply.Frame, reply.Epoch) : result;
    }
}
