using System.Buffers;

namespace MgbaBridge.Gateway.Operations;

/// <summary>How the response of an operation is written as bytes: the body of HTTP, a binary message, a file of the command line.</summary>
/// <param name="Read">The bytes of a response.</param>
/// <param name="MediaTypes">The media types that they may have.</param>
public sealed record BytesOf<TResponse>(Func<TResponse, ReadOnlySequence<byte>> Read, params IReadOnlyList<string> MediaTypes)
{
    /// <summary>Bytes without further meaning.</summary>
    public const string Binary = "application/octet-stream";

    /// <summary>Which of the media types a response has, if there are several.</summary>
    public Func<TResponse, string>? MediaTypeOf { get; init; }

    /// <summary>Whether HTTP callers get JSON unless they accept the media type.</summary>
    public bool IsOnRequest { get; init; }

    /// <summary>Identifies the bytes, for HTTP callers that may have them; null for nothing.</summary>
    public Func<TResponse, string>? EntityTag { get; init; }

    /// <summary>Numbers about the bytes, which HTTP callers get in headers <c>Mgba-NAME</c>; null for nothing.</summary>
    public Func<TResponse, (int Width, int Height)>? Size { get; init; }
}
