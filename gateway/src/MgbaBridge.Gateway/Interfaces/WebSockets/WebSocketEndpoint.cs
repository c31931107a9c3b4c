using System.Security.Cryptography;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Guests;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>Everything over one WebSocket: commands, bytes and events.</summary>
internal static class WebSocketEndpoint
{
    private const string HolderQuery = "holder";

    /// <summary>The subprotocol that clients name beside the one with their token; a browser requires that one is chosen.</summary>
    private const string Subprotocol = "mgba-bridge";

    private static int Open;

    public static HandlerOperation<NoParameters, HttpResult> Connect { get; } = new(new Resource("Playing", CommonJson.Default), "websocket.open", HttpMethods.Get, "/v2/ws", Access.Read)
    {
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<HttpResult>>(new HttpResult(http => OpenAsync(http, invocation.Emulator))),
        IsHttpOnly = true,
        Summary = "Commands, bytes and events over a WebSocket",
        Description = "Send texts such as `{\"id\":1,\"op\":\"memory.gather\",\"body\":{\"reads\":[{\"location\":\"0x02000008\",\"type\":\"u32\"}]}}`; each gets the response "
            + "`{\"id\":1,\"body\":{…}}` or `{\"id\":1,\"problem\":{…}}` when it completes. Bodies are those of the HTTP paths. With `\"binary\":true` bytes follow as a binary "
            + "message instead of base64. Events are sent as `{\"event\":\"frame\",\"eventId\":\"…\",\"body\":{…}}`. Keys, lease and subscriptions end with the connection. "
            + "Browsers send the token as a subprotocol: `new WebSocket(url, ['mgba-bridge', 'bearer.' + token])`, the token in base64url. "
            + $"Operations: those of GET /v2/operations, and {string.Join(", ", WebSocketOperations.OfTheSession.Keys.Order(StringComparer.Ordinal).Select(name => $"`{name}`"))}. More in docs/playing.md.",
        Inputs = [HttpInputs.Holder, new Input(HolderQuery, "The holder, for clients that cannot send headers. Generated when absent.", "bot-1")],
        UsesEmulator = false,
        Contents = [],
        Statuses =
        [
            new StatusNote(StatusCodes.Status101SwitchingProtocols, "The WebSocket is open."), (FailureKind.BadRequest, "the request is not a WebSocket handshake."),
            (CommandFailureKind.Overloaded, "the limit of open WebSockets is reached."),
        ],
    };

    private static async Task<Failure?> OpenAsync(HttpContext http, EmulatorClient emulator) =>
        !http.WebSockets.IsWebSocketRequest ? Failure.BadRequest("This path speaks WebSocket: open ws://…/v2/ws.")
        : !TryHolder(http, out var holder) ? Failure.BadRequest($"{HolderHeader.Name} or {HolderQuery} has to be {Holder.ExpectedFormat}.")
        : await ServeAsync(http, emulator, holder!);

    private static async Task<Failure?> ServeAsync(HttpContext http, EmulatorClient emulator, Holder holder)
    {
        using var counted = await StreamLimit.EnterAsync(http);
        if (counted is null)
        {
            return null;
        }

        try
        {
            if (Interlocked.Increment(ref Open) > WebSocketLimits.Sockets)
            {
                return Failure.Of(new CommandFailure(CommandFailureKind.Overloaded, $"{WebSocketLimits.Sockets} WebSockets are open; close some."));
            }

            var options = http.Single<HttpOptions>();
            using var socket = await http.WebSockets.AcceptWebSocketAsync(http.WebSockets.WebSocketRequestedProtocols.Contains(Subprotocol) ? Subprotocol : null);
            GatewayMetrics.SocketOpened(emulator.Id);
            var limits = new WebSocketLimits((int)options.MaxBody, options.WebSocketWriteTimeout, options.WebSocketHoldTimeout);
            using var guest = http.RequestServices.GetRequiredService<GuestStore>().Enter(http.Credential(), holder.Name, emulator.Id);
            using var session = new WebSocketSession(
                socket, emulator, holder, http.Caller(), http.Credential()?.Id, limits, http.TraceIdentifier, http.Abort, http.Features.Get<UnreadConnection>()!, http.RequestServices)
            {
                Guest = guest,
            };
            await session.RunAsync(http.RequestServices.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping, http.Revoked());
            return null;
        }
        finally
        {
            Interlocked.Decrement(ref Open);
        }
    }

    private static bool TryHolder(HttpContext http, out Holder? holder)
    {
        string? name = http.Request.Headers[HolderHeader.Name];
        name ??= http.Request.Query[HolderQuery];
        return Holder.TryCreate(name ?? $"ws-{RandomNumberGenerator.GetHexString(8, lowercase: true)}", out holder);
    }
}
