using System.Buffers;
using System.Buffers.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Api.Batch;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>Batches over a socket, and the answers of steps, which are the same.</summary>
internal static class WebSocketBatch
{
    /// <summary>Does several things in one frame.</summary>
    public static ValueTask RunAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (!WebSocketCommands.TryBody(request, BridgeJson.Default.BatchBody, out var body, out var wrong) || (wrong = body.TryBuild(out var items)) is not null)
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        var command = new RunBatch(items, body.At, body.After);
        return body.IsForLater
            ? session.SendLongRunningAsync(request, command, static (draft, answer) => Write(draft, answer, answer.Command.Items), BatchBody.MaxWait)
            : session.SendAsync(request, command, static (draft, answer) => Write(draft, answer, answer.Command.Items));
    }

    /// <summary>Writes what became of the items, straight from the reply. Binary: the bytes of all follow, and each result says how many are its.</summary>
    public static void Write<TCommand>(WebSocketMessage draft, in WebSocketReply<TCommand> answer, BatchItems? items)
        where TCommand : struct, ICommand<TCommand>
    {
        var json = draft.Json;
        json.WriteStartObject("body"u8);
        json.WriteNumber("frame"u8, answer.Reply.Frame);
        Span<byte> epoch = stackalloc byte[8];
        Utf8Formatter.TryFormat(answer.Reply.Epoch, epoch, out _, new StandardFormat('x', 8));
        json.WriteString("epoch"u8, epoch);
        json.WriteStartArray("results"u8);
        if (answer.IsBinary)
        {
            draft.Add(default);
        }

        var (index, done) = (0, 0);
        var results = new ItemResults(answer.Reply.Tail);
        while (results.Read())
        {
            var (form, type) = items is not null && index < items.ResultKinds.Count ? items.ResultKinds[index] : throw new UnexpectedReplyException(answer.Command.Descriptor);
            WriteResult(draft, results, form, type, answer.IsBinary, answer.Command.Descriptor);
            done += results.Ok ? 1 : 0;
            index++;
        }

        json.WriteEndArray();
        json.WriteNumber("done"u8, done);
        json.WriteNumber("of"u8, items?.ResultKinds.Count ?? 0);
        json.WriteEndObject();
    }

    private static void WriteResult(WebSocketMessage draft, in ItemResults result, ItemResultKind form, NumberType type, bool isBinary, CommandDescriptor row)
    {
        if (!result.Ok || (form != ItemResultKind.Number && !(form == ItemResultKind.Bytes && isBinary)))
        {
            JsonSerializer.Serialize(draft.Json, ItemAnswer.Of(result, form, type, row), BridgeJson.Default.ItemAnswer);
            return;
        }

        var values = result.Values;
        draft.Json.WriteStartObject();
        draft.Json.WriteBoolean("ok"u8, true);
        if (form == ItemResultKind.Bytes)
        {
            draft.Json.WriteNumber("size"u8, result.Bytes.Length);
            draft.Add(result.Bytes);
        }
        else
        {
            draft.Json.WriteNumber("value"u8, values.TryReadInteger(out var number) ? type.Of(number) : throw new UnexpectedReplyException(row));
        }

        draft.Json.WriteEndObject();
    }
}
