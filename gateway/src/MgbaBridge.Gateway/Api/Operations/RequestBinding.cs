using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>A request without parameters: <c>{}</c>.</summary>
public readonly record struct NoParameters;

/// <summary>The JSON of requests that no resource owns.</summary>
[JsonSourceGenerationOptions(AllowDuplicateProperties = false, UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(NoParameters))]
[JsonSerializable(typeof(bool))]
public sealed partial class RequestJson : JsonSerializerContext;

/// <summary>Reads a request from route, query and headers. Returns what is wrong with it, or null.</summary>
public delegate string? RouteBinder<TRequest>(HttpContext http, out TRequest request);

/// <summary>Completes a request with its body. Returns what is wrong with it, or null.</summary>
public delegate string? BodyBinder<TRequest, TBody>(HttpContext http, TBody body, out TRequest request);

/// <summary>How a request is read: from an HTTP request, and from the JSON that other interfaces send.</summary>
/// <typeparam name="TRequest">The request.</typeparam>
public abstract class RequestBinding<TRequest>
{
    /// <summary>The parameters.</summary>
    public virtual IReadOnlyList<Parameter> All => [];

    /// <summary>Where an HTTP request has each of them.</summary>
    public virtual IReadOnlyList<ParameterPlace> Places => [];

    /// <summary>The JSON context of the request, or null for none.</summary>
    internal virtual JsonSerializerContext? Context => null;

    /// <summary>Whether bytes may come with it in a binary message.</summary>
    internal virtual bool TakesBytes => false;

    /// <summary>What the document says about the HTTP body, or null for none.</summary>
    internal virtual Content? Body => null;

    /// <summary>Whether an HTTP request has a body.</summary>
    internal virtual bool HasBody => Body is not null;

    /// <summary>Whether the HTTP body may be omitted.</summary>
    internal virtual bool BodyIsOptional => false;

    /// <summary>Reads a request that has no HTTP body. Returns what is wrong with it, or null.</summary>
    internal virtual string? Bind(HttpContext http, out TRequest request) => throw new InvalidOperationException("The request has a body.");

    /// <summary>Reads a request that has an HTTP body. False when the response has been written, because something is wrong with it.</summary>
    internal virtual ValueTask<BoundRequest<TRequest>> ReadAsync(HttpContext http) => throw new InvalidOperationException("The request has no body.");

    /// <summary>Reads the JSON object that other interfaces send. Returns what is wrong with it, or null.</summary>
    /// <param name="reader">A reader at the start of the object; behind it afterwards.</param>
    /// <param name="bytes">The bytes that came with it in a binary message, or null.</param>
    /// <param name="request">The request.</param>
    internal abstract string? ReadJson(ref Utf8JsonReader reader, ReadOnlyMemory<byte>? bytes, out TRequest request);

    /// <summary>Releases the bytes of a request that was read.</summary>
    internal virtual void Release(HttpContext http, in ReadOnlySequence<byte> bytes)
    {
    }
}

/// <summary>A request that is read from JSON by a serializer.</summary>
public abstract class SerializedBinding<TRequest> : RequestBinding<TRequest>
{
    /// <summary>The whole request as JSON, as WebSocket callers send it.</summary>
    public required LazyJsonTypeInfo<TRequest> Json { get; init; }

    /// <summary>Puts bytes that came in a binary message into the request; null when it takes none.</summary>
    public Func<TRequest, ReadOnlyMemory<byte>, TRequest>? WithBytes { get; init; }

    /// <inheritdoc/>
    internal override JsonSerializerContext Context => Json.Context;

    /// <inheritdoc/>
    internal override bool TakesBytes => WithBytes is not null;

    /// <inheritdoc/>
    internal override string? ReadJson(ref Utf8JsonReader reader, ReadOnlyMemory<byte>? bytes, out TRequest request)
    {
        request = default!;
        try
        {
            request = JsonSerializer.Deserialize(ref reader, Json.Value)!;
            request = bytes is { } given && WithBytes is { } withBytes ? withBytes(request, given) : request;
            return null;
        }
        catch (JsonException exception)
        {
            return JsonBody.Explain(exception);
        }
    }
}

/// <summary>A request that was read from an HTTP request.</summary>
/// <param name="IsRead">False when the response has been written, because something is wrong with the request.</param>
/// <param name="Request">The request.</param>
/// <param name="Bytes">The body's bytes, in the server's buffer until they are released.</param>
internal readonly record struct BoundRequest<TRequest>(bool IsRead, TRequest Request, ReadOnlySequence<byte> Bytes = default);

/// <summary>The ways to read a request.</summary>
public static class Request
{
    /// <summary>No parameters at all.</summary>
    public static RequestBinding<NoParameters> None => Parameters.None;

    /// <summary>From route, query and headers.</summary>
    public static RequestBinding<TRequest> Route<TRequest>(JsonSerializerContext json, RouteBinder<TRequest> bind) => new RouteBinding<TRequest>(bind) { Json = json };

    /// <summary>The JSON body is the request.</summary>
    public static RequestBinding<TRequest> Body<TRequest>(JsonSerializerContext json, string example)
        where TRequest : class => Body<TRequest, TRequest>(json, example, static (HttpContext _, TRequest body, out TRequest request) =>
        {
            request = body;
            return null;
        });

    /// <summary>The JSON body is the request; without one it is <paramref name="otherwise"/>.</summary>
    public static RequestBinding<TRequest> OptionalBody<TRequest>(JsonSerializerContext json, string example, TRequest otherwise)
        where TRequest : class => new JsonBinding<TRequest, TRequest>(json, example, otherwise, static (HttpContext _, TRequest body, out TRequest request) =>
        {
            request = body;
            return null;
        })
        { Json = json };

    /// <summary>From the JSON body, and from route, query and headers.</summary>
    public static RequestBinding<TRequest> Body<TRequest, TBody>(JsonSerializerContext json, string example, BodyBinder<TRequest, TBody> bind)
        where TBody : class => new JsonBinding<TRequest, TBody>(json, example, null, bind) { Json = json };

    /// <summary>From a body of raw bytes, and from route, query and headers.</summary>
    public static RequestBinding<TRequest> Bytes<TRequest>(
        JsonSerializerContext json, Func<TRequest, ReadOnlyMemory<byte>, TRequest> withBytes, BodyBinder<TRequest, ReadOnlySequence<byte>> bind, string mediaType = "application/octet-stream") =>
        new BytesBinding<TRequest>(bind, mediaType) { Json = json, WithBytes = withBytes };

    private sealed class RouteBinding<TRequest>(RouteBinder<TRequest> bind) : SerializedBinding<TRequest>
    {
        internal override string? Bind(HttpContext http, out TRequest request) => bind(http, out request);
    }

    private sealed class JsonBinding<TRequest, TBody>(LazyJsonTypeInfo<TBody> body, string example, TBody? otherwise, BodyBinder<TRequest, TBody> bind) : SerializedBinding<TRequest>
        where TBody : class
    {
        internal override Content? Body { get; } = Content.Json<TBody>(example);

        internal override bool BodyIsOptional => otherwise is not null;

        internal override async ValueTask<BoundRequest<TRequest>> ReadAsync(HttpContext http)
        {
            var read = otherwise is null ? await JsonBody.ReadAsync(http, body.Value) : await JsonBody.ReadAsync(http, body.Value, otherwise);
            if (read is null)
            {
                return default;
            }

            if (bind(http, read, out var request) is { } wrong)
            {
                await Problems.BadRequestAsync(http, wrong);
                return default;
            }

            return new BoundRequest<TRequest>(true, request);
        }
    }

    private sealed class BytesBinding<TRequest>(BodyBinder<TRequest, ReadOnlySequence<byte>> bind, string mediaType) : SerializedBinding<TRequest>
    {
        internal override Content? Body { get; } = Content.Bytes(mediaType);

        internal override async ValueTask<BoundRequest<TRequest>> ReadAsync(HttpContext http)
        {
            if (await RawBody.ReadAsync(http) is not { } bytes)
            {
                return default;
            }

            if (bind(http, bytes, out var request) is { } wrong)
            {
                RawBody.Done(http, bytes);
                await Problems.BadRequestAsync(http, wrong);
                return default;
            }

            return new BoundRequest<TRequest>(true, request, bytes);
        }

        internal override void Release(HttpContext http, in ReadOnlySequence<byte> bytes) => RawBody.Done(http, bytes);
    }
}
