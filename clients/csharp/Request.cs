using System.Globalization;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace MgbaBridge.Http;

/// <summary>How HTTP sends an operation.</summary>
/// <param name="Operation">Its name.</param>
/// <param name="Method">The method.</param>
/// <param name="Path">The path without the emulator, then with the query.</param>
internal sealed record Request(string Operation, HttpMethod Method, string Path)
{
    private ReadOnlyMemory<byte> _body;
    private MediaTypeHeaderValue? _media;

    /// <summary>Whether an idempotency key makes it safe to send again. Steps have none: they end with their connection.</summary>
    public bool IsKeyed { get; init; }

    /// <summary>Whether it is about the gateway rather than one emulator.</summary>
    public bool IsOfGateway { get; init; }

    /// <summary>How many frames the response may take.</summary>
    public int? Frames { get; init; }

    /// <summary>Whether it may be sent again after the connection ended without a response.</summary>
    public bool IsRepeatable => IsKeyed || Method == HttpMethod.Get;

    /// <summary>A part of a path.</summary>
    public static string Part(string value) => Uri.EscapeDataString(value);

    /// <summary>A part of a path.</summary>
    public static string Part(long value) => value.ToString(CultureInfo.InvariantCulture);

    /// <summary>Adds a parameter to the query; one without a value is omitted.</summary>
    public Request Query(string name, string? value) =>
        value is null ? this : this with { Path = $"{Path}{(Path.Contains('?', StringComparison.Ordinal) ? '&' : '?')}{name}={Part(value)}" };

    public Request Query(string name, long? value) => Query(name, value?.ToString(CultureInfo.InvariantCulture));

    public Request Query(string name, bool? value) => Query(name, value switch { true => "true", false => "false", null => null });

    /// <summary>Adds the body.</summary>
    public Request Body(string media, ReadOnlyMemory<byte>? bytes) => this with { _media = new MediaTypeHeaderValue(media), _body = bytes ?? default };

    public Request Body<T>(string media, T value, JsonTypeInfo<T> type) => Body(media, JsonSerializer.SerializeToUtf8Bytes(value, type));

    /// <summary>The body. An effect without one has an empty body, because <see cref="SocketsHttpHandler"/> sends a request without a body again by itself.</summary>
    public HttpContent? Content() =>
        Method == HttpMethod.Get ? null : new ReadOnlyMemoryContent(_body) { Headers = { ContentType = _media } };
}
