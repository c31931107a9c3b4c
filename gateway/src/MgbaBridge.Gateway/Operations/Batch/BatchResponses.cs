using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Batch;

/// <summary>What became of a batch.</summary>
/// <remarks>The results are read out of the reply when they are written.</remarks>
public readonly struct BatchAnswer
{
    private readonly Reply? _reply;
    private readonly BatchItems? _items;
    private readonly CommandDescriptor? _descriptor;
    private readonly IReadOnlyList<ItemAnswer>? _results;

    private BatchAnswer(Reply reply, BatchItems? items, CommandDescriptor descriptor) =>
        (_reply, _items, _descriptor, Frame, Epoch, Of) = (reply, items, descriptor, reply.Frame, reply.Epoch, items?.Results.Count ?? 0);

    private BatchAnswer(long frame, Epoch epoch, int of, IReadOnlyList<ItemAnswer> results) => (Frame, Epoch, Of, _results) = (frame, epoch, of, results);

    /// <summary>The frame in which all of it was done.</summary>
    public long Frame { get; }

    /// <summary>Changes when the script or the game changes: eight hex digits.</summary>
    public Epoch Epoch { get; }

    /// <summary>How many items were done: fewer than `of` when one of them could not be.</summary>
    public int Done => _results?.Count(static result => result.Ok) ?? DoneIn(_reply!);

    /// <summary>How many items there were.</summary>
    public int Of { get; }

    /// <summary>What became of each, in order, up to the first that could not be done.</summary>
    public IReadOnlyList<ItemAnswer> Results => _results ?? ItemAnswer.All(_reply!, _items, _descriptor!);

    /// <summary>The response made of the reply to a batch, whose buffers it uses.</summary>
    internal static BatchAnswer OfBatch(RunBatch command, Reply reply) => new(reply, command.Items, command.Descriptor);

    /// <summary>The response made of the reply to a step, whose buffers it uses.</summary>
    internal static BatchAnswer OfStep(StepLease command, Reply reply) => new(reply, command.Items, command.Descriptor);

    /// <summary>The same, which does not need the reply any more.</summary>
    internal BatchAnswer Copy() => With(Of, [.. Results.Select(static result => result.Bytes is { } bytes ? result with { Bytes = bytes.ToArray() } : result)]);

    /// <summary>The same with these results of so many items.</summary>
    internal BatchAnswer With(int of, IReadOnlyList<ItemAnswer> results) => new(Frame, Epoch, of, results);

    /// <summary>Writes it as a message. If that is binary, the bytes of all results follow the JSON, and each result contains the number of its bytes.</summary>
    internal static void Write(IMessageBody body, in BatchAnswer answer, bool isBinary)
    {
        if (answer._reply is { } reply)
        {
            BatchWriter.Write(body, reply, answer._items, answer._descriptor!, isBinary);
            return;
        }

        var shown = answer;
        if (isBinary)
        {
            body.Add(default);
            foreach (var result in answer.Results)
            {
                body.Add(result.Bytes ?? default);
            }

            shown = answer.With(answer.Of, [.. answer.Results.Select(static result => result with { Bytes = null, Size = result.Bytes?.Length })]);
        }

        JsonSerializer.Serialize(body.Json, shown, BatchJson.Default.BatchAnswer);
    }

    private static int DoneIn(Reply reply)
    {
        var results = new ItemResults(reply.Tail);
        var done = 0;
        while (results.Read())
        {
            done += results.Ok ? 1 : 0;
        }

        return done;
    }
}

/// <summary>What became of one item.</summary>
/// <param name="Ok">Whether it was done. The first that was not ends the batch.</param>
/// <param name="Value">The number that was read.</param>
/// <param name="Bytes">The bytes that were read, the PNG or the state, in base64.</param>
/// <param name="Down">Of a press: the first frame with the first key down.</param>
/// <param name="Up">Of a press: the first frame without the last.</param>
/// <param name="Lag">Of a press: how many frames it waits for others.</param>
/// <param name="Joined">Of a press: true when it has joined one that was waiting.</param>
/// <param name="Unseen">Of a press: the keys that someone holds already, so that the game sees no press of them.</param>
/// <param name="Missed">Of a press: how many of its presses have such keys.</param>
/// <param name="Code">Why not, as a word.</param>
/// <param name="Detail">Why not, as a sentence.</param>
/// <param name="Result">The operation's response, of an item with the name of an operation.</param>
/// <param name="Size">On WebSocket, where bytes are a binary message: how many of them are the item's.</param>
public readonly record struct ItemAnswer(
    bool Ok, long? Value = null, ReadOnlyMemory<byte>? Bytes = null, long? Down = null, long? Up = null, long? Lag = null, bool? Joined = null,
    [property: JsonConverter(typeof(KeySetConverter))] KeySet? Unseen = null, int? Missed = null, string? Code = null, string? Detail = null, JsonElement? Result = null, int? Size = null)
{
    /// <summary>The result of an item that the gateway did not do, as the caller sees it.</summary>
    internal static ItemAnswer Refused(Caller caller, Failure failure) => new(
        false, Code: failure.OfCommand?.CodeName ?? failure.Kind.Name, Detail: ShownText.For(caller, failure.Explain(operation => operation.Name)));

    /// <summary>All results of a batch.</summary>
    internal static IReadOnlyList<ItemAnswer> All(Reply reply, BatchItems? items, CommandDescriptor row)
    {
        var answers = new List<ItemAnswer>();
        var results = new ItemResults(reply.Tail);
        while (results.Read())
        {
            var form = items?.Results[answers.Count] ?? throw new UnexpectedReplyException(row);
            answers.Add(Of(results, form, reply, row));
        }

        return answers;
    }

    /// <summary>One result of a batch.</summary>
    internal static ItemAnswer Of(in ItemResults result, ItemResult form, Reply batch, CommandDescriptor row)
    {
        if (result.ToFailure() is { } failure)
        {
            return new ItemAnswer(false, Code: failure.CodeName, Detail: failure.Detail);
        }

        var values = result.Values;
        switch (form.Kind)
        {
            case ItemResultKind.Number when values.TryReadInteger(out var number): return new ItemAnswer(true, Value: form.Type.Of(number));
            case ItemResultKind.Number: throw new UnexpectedReplyException(row);
            case ItemResultKind.Bytes: return new ItemAnswer(true, Bytes: result.Bytes);
            case ItemResultKind.Press:
                var press = KeyPress.Parse(values, row);
                return new ItemAnswer(
                    true, Down: press.Down, Up: press.Up, Lag: press.Lag, Joined: press.Joined ? true : null, Unseen: press.Missed > 0 ? press.Unseen : null, Missed: press.Missed > 0 ? press.Missed : null);
            case ItemResultKind.Response:
                using (var reply = result.ToReply(batch.Frame, batch.Epoch))
                {
                    return new ItemAnswer(true, Result: form.Response!.Read(reply));
                }

            default: return new ItemAnswer(true);
        }
    }
}
