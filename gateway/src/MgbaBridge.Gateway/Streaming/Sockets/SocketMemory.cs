using System.Buffers;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>Memory over a socket.</summary>
internal static class SocketMemory
{
    /// <summary>Many places in one frame; binary: their bytes one after the other.</summary>
    public static ValueTask ReadAsync(SocketSession session, SocketRequest request)
    {
        if (!SocketAsking.TryBody(request, BridgeJson.Default.ReadsBody, out var body, out var wrong) || (wrong = body.Wrong()) is not null)
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        return session.AskAsync(request, new GatherMemory([.. body.Reads.Select(read => read.Range)]), static (draft, answer) =>
        {
            if (answer.IsBinary)
            {
                SocketOperations.Done(draft, answer);
                draft.Follow(answer.Reply.Tail);
            }
            else
            {
                draft.Body(ReadsAnswer.Of(answer.Command, answer.Reply), BridgeJson.Default.ReadsAnswer);
            }
        });
    }

    /// <summary>A number, or bytes as base64 or binary.</summary>
    public static ValueTask WriteAsync(SocketSession session, SocketRequest request)
    {
        if (!SocketAsking.TryBody(request, BridgeJson.Default.WriteItem, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        body = request.IsBinary ? body with { Bytes = request.Bytes } : body;
        switch (body)
        {
            case { Bytes: { } bytes, Type: null, Value: null }:
                return session.AskAsync(request, new WriteMemory(body.Location, new ReadOnlySequence<byte>(bytes)), Written, MemoryEndpoints.TimeFor(bytes.Length));
            case { Bytes: null, Type: { } type, Value: { } value }:
                return session.AskAsync(request, new WriteCell(body.Location, type.Width(), value), Written);
            default:
                return session.RefuseAsync(request.Id, WriteItem.Forms);
        }
    }

    private static void Written<TCommand>(SocketDraft draft, SocketReply<TCommand> answer)
        where TCommand : struct, ICommand =>
        draft.Body(WriteAnswer.Of(answer.Reply), BridgeJson.Default.WriteAnswer);
}
