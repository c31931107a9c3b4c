using System.Buffers;
using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>The endpoint of the original load test: a message to the script and back.</summary>
internal static class EchoEndpoint
{
    // what fits into one write to a socket; the endpoint measures round trips, and longer ones would measure memory
    private const int MaxMessage = 65_536;

    /// <summary>The longest request line that a message can need: each byte percent-encoded, and space for the path.</summary>
    public const int MaxRequestLine = (MaxMessage * 3) + 4_096;

    public static HandlerOperation<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>> Send { get; } = new(new Resource("Echo", CommonJson.Default), "echo.send", HttpMethods.Get, "/mgbaendpoint", Access.Read)
    {
        Summary = "A message to the script and back",
        Description = "The endpoint of the original load test. Returns the bytes of the message unchanged.",
        Request = Parameters.Of(new Parameter<ReadOnlyMemory<byte>>(
            "message", $"What to send, up to {MaxMessage} bytes.", new MessageKind())
        { Example = "hello", IsEncoded = true }),
        Run = static (invocation, message) => message.Length > MaxMessage
            ? ValueTask.FromResult<Result<ReadOnlyMemory<byte>>>(new Failure(FailureKind.TooLarge, $"The message has {message.Length} bytes; at most {MaxMessage} are echoed."))
            : invocation.SendAsync(new Echo(new ReadOnlySequence<byte>(message)), static (_, reply) => reply.Tail),
        Bytes = new(static message => new ReadOnlySequence<byte>(message), "text/plain; charset=utf-8"),
        ResponseExample = "\"hello\"",
        IsHttpOnly = true,
    };

    /// <summary>Messages: bytes, of which the query has each as <c>%XX</c>, or as itself.</summary>
    private sealed class MessageKind : ParameterKind<ReadOnlyMemory<byte>>
    {
        public override ParameterShape Shape { get; } = new("string", "a text, as in /mgbaendpoint?message=hello");

        internal override bool TryParse(string text, out ReadOnlyMemory<byte> value)
        {
            var bytes = new byte[QueryText.MaxBytes(text.Length)];
            value = bytes.AsMemory(0, QueryText.Decode(text, bytes));
            return true;
        }

        internal override bool TryRead(ref Utf8JsonReader reader, out ReadOnlyMemory<byte> value)
        {
            var isText = reader.TokenType == JsonTokenType.String;
            value = isText ? Encoding.UTF8.GetBytes(reader.GetString()!) : default;
            return isText;
        }
    }
}

/// <summary>A constant answer through the same middleware, to compare the gateway's own speed with.</summary>
public static class PlaintextEndpoint
{
    /// <summary>Adds <c>GET /plaintext</c>.</summary>
    public static void MapPlaintext(this IEndpointRouteBuilder routes) => routes.MapGet("/plaintext", Answer);

    private static Task Answer(HttpContext http)
    {
        var body = "Hello, World!"u8;
        http.Response.ContentType = "text/plain; charset=utf-8";
        http.Response.ContentLength = body.Length;
        http.Response.BodyWriter.Write(body);
        return Task.CompletedTask;
    }
}
