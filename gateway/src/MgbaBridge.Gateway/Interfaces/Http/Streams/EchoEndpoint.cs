using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using Microsoft.AspNetCore.WebUtilities;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>The endpoint of the original load test: a message to the script and back.</summary>
internal static class EchoEndpoint
{
    private static readonly Resource Resource = new("Echo", CommonJson.Default);

    private const string Parameter = "message";

    // what fits into one write to a socket; the endpoint measures round trips, and longer ones would measure memory
    private const int MaxMessage = 65_536;

    /// <summary>The longest request line that a message can need: each byte percent-encoded, and space for the path.</summary>
    public const int MaxRequestLine = (MaxMessage * 3) + 4_096;

    public static EndpointOperation Send { get; } = new(Resource, "echo.send", "/mgbaendpoint", Access.Read, Echo)
    {
        Summary = "A message to the script and back",
        Description = "The endpoint of the original load test. Returns the bytes of the message unchanged.",
        Inputs = [new Input(Parameter, $"What to send, up to {MaxMessage} bytes.", "hello") { IsRequired = true }],
        Contents = [new Content("text/plain", null, "\"hello\"")],
    };

    /// <summary>Sends the message to the script and returns the reply byte for byte. <c>+</c> and <c>%</c> are decoded.</summary>
    private static Task Echo(HttpContext http)
    {
        return TryFind(http.Request.QueryString.Value, out var encoded)
            ? EchoAsync(http, encoded)
            : Problems.BadRequestAsync(http, "Say what to echo: /mgbaendpoint?message=hello").AsTask();
    }

    private static async Task EchoAsync(HttpContext http, ReadOnlyMemory<char> encoded)
    {
        var bytes = ArrayPool<byte>.Shared.Rent(QueryText.MaxBytes(encoded.Length));
        try
        {
            var length = QueryText.Decode(encoded.Span, bytes);
            if (length > MaxMessage)
            {
                await Problems.WriteAsync(http, RefusalKind.TooLarge, $"The message has {length} bytes; at most {MaxMessage} are echoed.");
                return;
            }

            await http.WithEmulatorAsync(new ReadOnlySequence<byte>(bytes, 0, length), SendAsync);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private static async ValueTask SendAsync(HttpContext http, EmulatorClient emulator, ReadOnlySequence<byte> message)
    {
        var wait = Preference.WaitOf(http);
        while (true)
        {
            using var reply = await emulator.SendAsync(new Echo(message), new RequestOptions { Timeout = wait, IsTimeoutChosen = wait is not null }, http.RequestAborted);
            Headers.SetFrame(http.Response, reply);
            if (reply.Failure is not { } failure)
            {
                http.Response.ContentType = "text/plain; charset=utf-8";
                http.Response.ContentLength = reply.Tail.Length;
                http.Response.BodyWriter.Write(reply.Tail.Span);
                return;
            }

            if (await FleetPaths.SuccessorAsync(http, emulator, failure, isRead: true) is not { } successor)
            {
                await Problems.WriteAsync(http, emulator.Id, failure);
                return;
            }

            emulator = successor;
        }
    }

    private static bool TryFind(string? query, out ReadOnlyMemory<char> encoded)
    {
        foreach (var pair in new QueryStringEnumerable(query))
        {
            if (pair.EncodedName.Span.Equals(Parameter, StringComparison.OrdinalIgnoreCase))
            {
                encoded = pair.EncodedValue;
                return true;
            }
        }

        encoded = default;
        return false;
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
