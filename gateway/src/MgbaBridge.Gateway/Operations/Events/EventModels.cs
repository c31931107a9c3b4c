using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Events;

/// <summary>Something that happened.</summary>
public readonly record struct EventAnswer
{
    /// <summary>The script's frame count when it happened; 0 when the script did not say it.</summary>
    public required long Frame { get; init; }

    /// <summary>Changes when the script or the game changes: eight hex digits.</summary>
    public required Epoch Epoch { get; init; }

    /// <summary>The topic that it belongs to, written in full.</summary>
    public required string Topic { get; init; }

    /// <summary>Of memory: the bytes that are there now; of sound: the samples, left and right in turn, 16 bits each, little-endian. In base64; on a
    /// WebSocket sound is a binary message instead.</summary>
    public ReadOnlyMemory<byte>? Bytes { get; init; }

    /// <summary>Of the log: the lines, each with its category: <c>GBA Debug: hello</c>.</summary>
    public IReadOnlyList<string>? Lines { get; init; }

    /// <summary>Of sound: the number of its first pair of samples, 48,000 a second of the game. A gap in the numbers is sound that was lost.</summary>
    public long? Sample { get; init; }

    /// <summary>Of keys: those that are down now.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public KeySet? Keys { get; init; }

    /// <summary>Of keys and of a state: the first frame that ran with them.</summary>
    public long? From { get; init; }

    /// <summary>Of a lease: who has it; absent when nobody does.</summary>
    public string? Holder { get; init; }

    /// <summary>Of freezes: how many there are now.</summary>
    public long? Count { get; init; }

    /// <summary>Of freezes: how many ended without a request since the last event; `reason` says why the last one did.</summary>
    public long? Ended { get; init; }

    /// <summary>Why a lease, a watch or a freeze ended.</summary>
    public string? Reason { get; init; }

    /// <summary>Of a game that was opened: its title.</summary>
    public string? Title { get; init; }

    /// <summary>Of frames that stop or come again: <c>running</c>, <c>paused</c>, <c>stopped</c>, <c>crashed</c> or <c>none</c> (no game).</summary>
    public string? Machine { get; init; }

    /// <summary>Of a save file that cannot be written: why; absent when it can be written again.</summary>
    public string? Problem { get; init; }

    /// <summary>Of a game that was opened: its code.</summary>
    public string? Code { get; init; }

    /// <summary>How many events of this topic, or lines of the log, the script left out because they were not taken in time.</summary>
    public long? Dropped { get; init; }

    /// <summary>The JSON of an event.</summary>
    internal static EventAnswer Of(EmulatorEvent received)
    {
        var answer = new EventAnswer { Frame = received.Frame, Epoch = received.Epoch, Topic = received.Name };
        var values = new ValueReader(received.Values.Span);
        var position = 0;
        while (values.Read())
        {
            answer = values.Name.IsEmpty ? answer.With(received.Kind, position++, values) : answer.With(values);
        }

        return received.Kind switch
        {
            EventNames.Memory or EventNames.Sound => answer with { Bytes = received.Bytes },
            EventNames.Log => answer with { Lines = Encoding.UTF8.GetString(received.Bytes.Span).Split('\n') },
            _ => answer,
        };
    }

    // of a watch, its name and its kind come first
    private EventAnswer With(string kind, int position, in ValueReader value) => (kind, position) switch
    {
        (EventNames.Keys, 2) => this with { Keys = new KeySet((int)value.Integer) },
        (StreamEvents.Ended, 2) => this with { Reason = value.GetText() },
        (StreamEvents.Ended, 0) when value.GetText() != Topic => this with { Reason = value.GetText() },
        (EventNames.Lease, 0) when value.Kind == ValueKind.Text => this with { Holder = value.GetText() },
        (EventNames.EmulatorLost or EventNames.EmulatorRestarted or EventNames.EmulatorMessage, 0) => this with { Reason = value.GetText() },
        (EventNames.Lease, 1) => this with { Reason = value.GetText() },
        _ => this,
    };

    /// <summary>It as a caller sees it.</summary>
    internal EventAnswer For(Caller caller) => Reason is null && Title is null && Lines is null ? this : this with
    {
        Reason = ShownText.For(caller, Reason),
        Title = ShownText.For(caller, Title),
        Lines = Lines is null ? null : [.. Lines.Select(line => ShownText.For(caller, line))],
    };

    private EventAnswer With(in ValueReader value) => value.Name switch
    {
        var name when name.SequenceEqual("title"u8) => this with { Title = value.GetText() },
        var name when name.SequenceEqual("code"u8) => this with { Code = value.GetText() },
        var name when name.SequenceEqual("machine"u8) => this with { Machine = value.GetText() },
        var name when name.SequenceEqual("problem"u8) && value.Kind == ValueKind.Text => this with { Problem = value.GetText() },
        var name when name.SequenceEqual("from"u8) => this with { From = value.Integer },
        var name when name.SequenceEqual("sample"u8) => this with { Sample = value.Integer },
        var name when name.SequenceEqual("count"u8) => this with { Count = value.Integer },
        var name when name.SequenceEqual("ended"u8) => this with { Ended = value.Integer },
        var name when name.SequenceEqual("reason"u8) => this with { Reason = value.GetText() },
        var name when name.SequenceEqual("dropped"u8) => this with { Dropped = value.Integer },
        _ => this,
    };
}

/// <summary>Events that are lost.</summary>
/// <param name="Lost">How many.</param>
public readonly record struct LossAnswer(long Lost);

/// <summary>The end of a stream.</summary>
/// <param name="Reason">Why it ends.</param>
public readonly record struct ClosedAnswer(string Reason);

/// <summary>The JSON of events.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(EventAnswer))]
[JsonSerializable(typeof(LossAnswer))]
[JsonSerializable(typeof(ClosedAnswer))]
public sealed partial class EventJson : JsonSerializerContext;
