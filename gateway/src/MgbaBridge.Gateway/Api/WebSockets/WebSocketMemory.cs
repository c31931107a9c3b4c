using System.Buffers;
using MgbaBridge.Gateway.Api.Batch;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Memory;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>Memory over a socket.</summary>
internal static class WebSocketMemory
{
    /// <summary>Many places in one frame; binary: their bytes one after the other.</summary>
    public static ValueTask ReadAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (!WebSocketCommands.TryBody(request, BridgeJson.Default.ReadsBody, out var body, out var wrong) || (wrong = body.Wrong()) is not null)
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        return session.SendAsync(request, new GatherMemory([.. body.Reads.Select(read => read.Range)]), static (draft, answer) =>
        {
            if (answer.IsBinary)
            {
                WebSocketOperations.Done(draft, answer);
                draft.Follow(answer.Reply.Tail);
            }
            else
            {
                draft.Body(ReadsAnswer.Of(answer.Command, answer.Reply), BridgeJson.Default.ReadsAnswer);
            }
        });
    }

    /// <summary>A number, or bytes as base64 or binary.</summary>
    public static ValueTask WriteAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (!WebSocketCommands.TryBody(request, BatchJson.Default.WriteItem, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        body = request.IsBinary ? body with { Bytes = request.Bytes } : body;
        switch (body)
        {
            case { Bytes: { } bytes, Type: null, Value: null }:
                return session.SendAsync(request, new WriteMemory(body.Location, new ReadOnlySequence<byte>(bytes)), Written, MemoryEndpoints.TimeFor(bytes.Length));
            case { Bytes: null, Type: { } type, Value: { } value }:
                return session.SendAsync(request, new WriteCell(body.Location, type.Width(), value), Written);
            default:
                return session.RefuseAsync(request.Id, WriteItem.FormatHint);
        }
    }

    private static void Written<TCommand>(WebSocketMessage draft, WebSocketReply<TCommand> answer)
        where TCommand : struct, ICommand<TCommand> =>
        draft.Body(WriteAnswer.Of(answer.Reply), BridgeJson.Default.WriteAnswer);
}
