using System.Net.WebSockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Events;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The events of a WebSocket: the same subscriptions as those of server-sent events. What the client does not take in time is
/// lost, oldest first, and counted.</summary>
/// <param name="session">Whose.</param>
internal sealed class WebSocketEvents(WebSocketSession session) : IDisposable
{
    /// <summary>The parameters of both operations.</summary>
    internal static readonly Parameters<(IReadOnlyList<EventTopic> Topics, string? After)> Subscription = Parameters.Of(
        EventTopicsKind.Topics,
        Parameter.Text("after", "The `event id` of the last event received; events after it follow.").Optional(),
        static (topics, after) => (topics, after));

    private readonly SemaphoreSlim _changing = new(1, 1);
    private readonly SortedSet<string> _names = new(StringComparer.Ordinal);
    private EventSubscription? _subscription;
    private Task _sending = Task.CompletedTask;

    /// <summary>Adds topics.</summary>
    public async ValueTask SubscribeAsync(WebSocketRequest request)
    {
        if (WebSocketCommands.Read(request, Subscription, out var subscription) is { } wrong)
        {
            await session.RefuseAsync(request.Id, wrong);
            return;
        }

        var (topics, after) = subscription;
        await _changing.WaitAsync(session.Over);
        try
        {
            if (_names.Union(topics.Select(topic => topic.Name)).Count() > EventTopicsKind.Max)
            {
                await session.RefuseAsync(request.Id, $"A socket has at most {EventTopicsKind.Max} topics; unsubscribe from some.");
                return;
            }

            var feed = session.Emulator.Events;
            _subscription ??= feed.Join();
            var backlog = await feed.AddAsync(_subscription, topics, EventIds.After(after, feed).Number, session.Over);
            if (backlog.Failure is { } failure)
            {
                await session.RefuseAsync(request.Id, Problems.Of(failure, session.Emulator.Id, session.Trace));
                return;
            }

            await AnswerAsync(request.Id!.Value, topics, after is not null && EventIds.After(after, feed).IsForeign ? null : backlog.Forgotten, backlog.Missed);
        }
        finally
        {
            _changing.Release();
        }
    }

    /// <summary>Takes topics away.</summary>
    public async ValueTask UnsubscribeAsync(WebSocketRequest request)
    {
        if (WebSocketCommands.Read(request, Subscription, out var subscription) is { } wrong)
        {
            await session.RefuseAsync(request.Id, wrong);
            return;
        }

        await _changing.WaitAsync(session.Over);
        try
        {
            string[] names = [.. subscription.Topics.Select(topic => topic.Name)];
            _names.ExceptWith(names);
            if (_subscription is not null)
            {
                session.Emulator.Events.Remove(_subscription, names);
            }

            await session.AnswerAsync(request.Id!.Value, new TopicsAnswer([.. _names], null), WebSocketJson.Default.TopicsAnswer);
        }
        finally
        {
            _changing.Release();
        }
    }

    /// <summary>The client is gone.</summary>
    public async Task EndAsync()
    {
        _subscription?.Dispose();
        await _sending;
    }

    public void Dispose() => _changing.Dispose();

    private async Task AnswerAsync(WebSocketId id, IReadOnlyList<EventTopic> topics, long? forgotten, IReadOnlyList<EmulatorEvent> missed)
    {
        var first = _names.Count == 0 && _sending.IsCompleted;
        _names.UnionWith(topics.Select(topic => topic.Name));
        await session.AnswerAsync(id, new TopicsAnswer([.. _names], forgotten is 0 ? null : forgotten), WebSocketJson.Default.TopicsAnswer);
        foreach (var received in missed)
        {
            await SendAsync(received);
        }

        _sending = first ? SendEventsAsync(_subscription!) : _sending;
    }

    private async Task SendEventsAsync(EventSubscription subscription)
    {
        try
        {
            while (await subscription.Waiting.WaitToReadAsync(session.Over))
            {
                if (subscription.TakeLost() is > 0 and var lost)
                {
                    await session.Sender.SendEventAsync(lost, static (draft, lost) => WriteLoss(draft, lost), session.Over);
                }

                while (subscription.Waiting.TryRead(out var received))
                {
                    await SendAsync(received);
                }
            }
        }
        catch (Exception exception)
        {
            await session.FailAsync(null, default, exception);
            session.End(WebSocketCloseStatus.InternalServerError, "an event could not be sent");
        }
    }

    private Task SendAsync(EmulatorEvent received) =>
        session.Sender.SendEventAsync((Event: received, session.Emulator.Events.Id, session.Caller), static (draft, one) => Write(draft, one.Event, one.Id, one.Caller), session.Over).AsTask();

    private static void Write(WebSocketMessage draft, EmulatorEvent received, string feed, Caller caller)
    {
        draft.Json.WriteString("event"u8, received.Kind);
        draft.Json.WriteString("eventId"u8, EventIds.Of(feed, received.Number));
        var answer = new EventAnswer(received, caller) { HasBinaryMessage = true };
        draft.Body(answer, EventJson.Default.EventAnswer);
        if (!answer.BinaryMessage.IsEmpty)
        {
            draft.Add(answer.BinaryMessage);
        }
    }

    private static void WriteLoss(WebSocketMessage draft, int lost)
    {
        draft.Json.WriteString("event"u8, StreamEvents.Lost);
        draft.Body(new LossAnswer(lost), EventJson.Default.LossAnswer);
    }
}
