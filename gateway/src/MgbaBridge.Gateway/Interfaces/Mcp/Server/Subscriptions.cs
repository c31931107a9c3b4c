using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Interfaces.Mcp.Resources;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>Subscriptions to resources: until the session ends, or, with protocol 2026-07-28, as long as the client keeps its request open.</summary>
/// <param name="resources">The resources.</param>
internal sealed class Subscriptions(ResourceList resources)
{
    private const int MaxSubscriptions = 16;

    /// <summary>Begins a subscription of a session.</summary>
    public ValueTask<EmptyResult> SubscribeAsync(RequestContext<SubscribeRequestParams> request, CancellationToken cancelled)
    {
        var uri = request.Params?.Uri ?? "";
        var sender = Sender.Of(request);
        var session = sender.Session;
        var emulator = resources.ScreenOf(uri, sender.Caller, sender.MissingResource);
        if (session.Subscriptions.Count >= MaxSubscriptions)
        {
            throw new McpProtocolException($"A session has at most {MaxSubscriptions} subscriptions. Unsubscribe from some.", McpErrorCode.InvalidRequest);
        }

        var over = new CancellationTokenSource();
        if (session.Subscriptions.TryAdd(uri, over))
        {
            var server = request.Server;
            _ = Task.Run(
                async () =>
                {
                    try
                    {
                        await ScreenSubscription.RunAsync(emulator, () => UpdatedAsync(server, uri, null), over.Token);
                    }
                    finally
                    {
                        session.Subscriptions.TryRemove(KeyValuePair.Create(uri, over)); // the client may subscribe again
                    }
                }, CancellationToken.None);
        }

        return ValueTask.FromResult(new EmptyResult());
    }

    /// <summary>Ends a subscription of a session.</summary>
    public static async ValueTask<EmptyResult> UnsubscribeAsync(RequestContext<UnsubscribeRequestParams> request, CancellationToken cancelled)
    {
        if (Sender.Of(request).Session.Subscriptions.TryRemove(request.Params?.Uri ?? "", out var over))
        {
            await over.CancelAsync();
        }

        return new EmptyResult();
    }

    /// <summary>Streams updates until the client ends its request.</summary>
    public async ValueTask<EmptyResult> ListenAsync(RequestContext<SubscriptionsListenRequestParams> request, CancellationToken cancelled)
    {
        string[] uris = [.. (request.Params?.Notifications?.ResourceSubscriptions ?? []).Distinct().Take(MaxSubscriptions)];
        var sender = Sender.Of(request);
        var watched = uris.Select(uri => (Uri: uri, Emulator: resources.ScreenOf(uri, sender.Caller, sender.MissingResource))).ToArray();
        var id = request.JsonRpcRequest.Id.ToString();
        var granted = new JsonObject { ["resourceSubscriptions"] = new JsonArray([.. uris.Select(uri => (JsonNode)uri)]) };
        await SendAsync(request.Server, NotificationMethods.SubscriptionsAcknowledgedNotification, new JsonObject { ["notifications"] = granted }, id);
        await Task.WhenAll([
            .. watched.Select(screen => ScreenSubscription.RunAsync(screen.Emulator, () => UpdatedAsync(request.Server, screen.Uri, id), cancelled)),
            Task.Delay(Timeout.Infinite, cancelled).ContinueWith(static _ => { }, TaskScheduler.Default)]);
        return new EmptyResult();
    }

    private static Task UpdatedAsync(McpServer server, string uri, string? subscription) =>
        SendAsync(server, NotificationMethods.ResourceUpdatedNotification, new JsonObject { ["uri"] = uri }, subscription);

    // clients that share a stream tell subscriptions apart by their ids
    private static Task SendAsync(McpServer server, string method, JsonObject parameters, string? subscription)
    {
        if (subscription is not null)
        {
            parameters["_meta"] = new JsonObject { [MetaKeys.SubscriptionId] = subscription };
        }

        return server.SendMessageAsync(new JsonRpcNotification { Method = method, Params = parameters });
    }
}
