using System.Text.Json;

namespace MgbaBridge.Gateway.Operations;

/// <summary>The body of a message that is being written: JSON, and bytes that are sent after it.</summary>
public interface IMessageBody
{
    /// <summary>Writes the JSON.</summary>
    Utf8JsonWriter Json { get; }

    /// <summary>Adds bytes to those that are sent after the JSON. They must not change until the message has been sent.</summary>
    void Add(ReadOnlyMemory<byte> bytes);
}

/// <summary>Writes a response as an object.</summary>
/// <param name="body">Where to.</param>
/// <param name="response">The response.</param>
/// <param name="isBinary">Whether the caller wants bytes after the JSON rather than as base64.</param>
public delegate void MessageWriter<TResponse>(IMessageBody body, in TResponse response, bool isBinary);
