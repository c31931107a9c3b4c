using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations;

/// <summary>The body of a message that is being written: JSON, and bytes that are sent after it.</summary>
public interface IMessageBody
{
    /// <summary>Writes the JSON.</summary>
    Utf8JsonWriter Json { get; }

    /// <summary>Adds bytes to those that are sent after the JSON. They must not change until the message has been sent.</summary>
    void Add(ReadOnlyMemory<byte> bytes);
}

/// <summary>A response with bytes that a caller may want after the JSON rather than as base64.</summary>
public interface IResponseWithBytes
{
    /// <summary>How many bytes.</summary>
    int Size { get; }

    /// <summary>Writes it with the bytes after the JSON.</summary>
    void Write(IMessageBody body);
}

/// <summary>Writes the response of a command as an object.</summary>
/// <param name="body">Where to.</param>
/// <param name="command">The command.</param>
/// <param name="reply">Its reply.</param>
/// <param name="isBinary">Whether the caller wants bytes after the JSON rather than as base64.</param>
public delegate void MessageWriter<TCommand>(IMessageBody body, TCommand command, Reply reply, bool isBinary);
