using System.Buffers;
using System.Buffers.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>Batches over a socket, and the answers of steps, which are the same.</summary>
internal static class SocketBatch
{
    /// <summary>Does several things in one frame.</summary>
    public static ValueTask RunAsync(SocketSession session, SocketRequest request)
    {
        if (!SocketAsking.TryBody(request, BridgeJson.Default.BatchBody, out var body, out var wrong) || (wrong = body.TryBuild(out var items)) is not null)
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        var command = new RunBatch(items, body.At, body.After);
        return body.IsForLater
            ? session.AskLastingAsync(request, command, static (draft, answer) => Write(draft, answer, answer.Command.Items), BatchBody.LongestWait)
            : session.AskAsync(request, command, static (draft, answer) => Write(draft, answer, answer.Command.Items));
    }

    /// <summary>Writes what became of the items, straight from the reply. Binary: the bytes of all follow, and each result says how many are its.</summary>
    public static void Write<TCommand>(SocketDraft draft, in SocketReply<TCommand> answer, BatchItems? items)
        where TCommand : struct, ICommand
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
            var (form, type) = items is not null && index < items.Forms.Count ? items.Forms[index] : throw new UnexpectedReplyException(answer.Command.Row);
            WriteResult(draft, results, form, type, answer.IsBinary, answer.Command.Row);
            done += results.Ok ? 1 : 0;
            index++;
        }

        json.WriteEndArray();
        json.WriteNumber("done"u8, done);
        json.WriteNumber("of"u8, items?.Forms.Count ?? 0);
        json.WriteEndObject();
    }

    private static void WriteResult(SocketDraft draft, in ItemResults result, ItemForm form, NumberType type, bool isBinary, CommandRow row)
    {
        if (!result.Ok || (form != ItemForm.Number && !(form == ItemForm.Bytes && isBinary)))
        {
            JsonSerializer.Serialize(draft.Json, ItemAnswer.Of(result, form, type, row), BridgeJson.Default.ItemAnswer);
            return;
        }

        var values = result.Values;
        draft.Json.WriteStartObject();
        draft.Json.WriteBoolean("ok"u8, true);
        if (form == ItemForm.Bytes)
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
