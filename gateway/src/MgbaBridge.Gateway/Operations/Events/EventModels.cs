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
/// <param name="Event">It; its values are those of its <see cref="EventRow"/>.</param>
/// <param name="Caller">Who gets it.</param>
[JsonConverter(typeof(EventConverter))]
public readonly record struct EventAnswer(EmulatorEvent Event, Caller Caller)
{
    /// <summary>Whether bytes that have a message of their own on a WebSocket are left out.</summary>
    public bool HasBinaryMessage { get; init; }

    /// <summary>These bytes.</summary>
    internal ReadOnlyMemory<byte> BinaryMessage => EventRow.Find(Event.Kind)?.Values.Any(static value => value.Kind == EventValueKind.Samples) == true ? Event.Bytes : default;
}

/// <summary>The JSON of an event: its frame, epoch and topic, and its values.</summary>
internal sealed class EventConverter : JsonConverter<EventAnswer>
{
    private static readonly KeySetConverter Keys = new();

    public override EventAnswer Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException();

    public override void Write(Utf8JsonWriter writer, EventAnswer value, JsonSerializerOptions options)
    {
        var received = value.Event;
        Span<byte> epoch = stackalloc byte[Epoch.Digits];
        received.Epoch.Format(epoch);
        writer.WriteStartObject();
        writer.WriteNumber("frame"u8, received.Frame);
        writer.WriteString("epoch"u8, epoch);
        writer.WriteString("topic"u8, received.Name);
        foreach (var one in EventRow.Find(received.Kind)?.Values ?? [])
        {
            Write(writer, one, value, options);
        }

        Write(writer, EventValue.Dropped, value, options);
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, EventValue value, in EventAnswer answer, JsonSerializerOptions options)
    {
        var (received, caller) = (answer.Event, answer.Caller);
        var values = new ValueReader(received.Values.Span);
        switch (value.Kind)
        {
            case EventValueKind.Bytes:
            case EventValueKind.Samples when !answer.HasBinaryMessage:
                writer.WriteBase64String(value.Name, received.Bytes.Span);
                break;
            case EventValueKind.Lines:
                writer.WriteStartArray(value.Name);
                foreach (var line in Encoding.UTF8.GetString(received.Bytes.Span).Split('\n'))
                {
                    writer.WriteStringValue(ShownText.For(caller, line));
                }

                writer.WriteEndArray();
                break;
            case EventValueKind.Integer when value.Find(ref values):
                writer.WriteNumber(value.Name, values.Integer);
                break;
            case EventValueKind.Keys when value.Find(ref values):
                writer.WritePropertyName(value.Name);
                Keys.Write(writer, new KeySet((int)values.Integer), options);
                break;
            case EventValueKind.Text when value.Find(ref values) && values.Kind != ValueKind.Nothing:
                writer.WriteString(value.Name, ShownText.For(caller, values.GetText()));
                break;
            default:
                break; // it has none
        }
    }
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
