using System.Buffers;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Interfaces.Uat;

/// <summary>The packets that the server sends: one message with a list of commands.</summary>
internal static class UatPacket
{
    /// <summary>The protocol's version.</summary>
    private const int Protocol = 0;

    private static readonly string? Version = typeof(UatPacket).Assembly.GetName().Version?.ToString(3);

    /// <summary>What the server is, and its slots.</summary>
    public static ReadOnlyMemory<byte> Info(IEnumerable<string> slots) => Write(slots, static (json, slots) =>
    {
        WriteStart(json, "Info");
        json.WriteNumber("protocol", Protocol);
        json.WriteString("name", "mGBA-bridge");
        json.WriteString("version", Version);
        json.WriteStartArray("features");
        json.WriteEndArray();
        json.WriteStartArray("slots");
        foreach (var slot in slots)
        {
            json.WriteStringValue(slot);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    });

    /// <summary>Values of variables, all from one frame.</summary>
    public static ReadOnlyMemory<byte> Variables(string slot, IReadOnlyList<UatVariable> variables) => Write((slot, variables), static (json, packet) =>
    {
        foreach (var (name, value) in packet.variables)
        {
            WriteStart(json, "Var");
            json.WriteString("name", name);
            json.WritePropertyName("value");
            JsonSerializer.Serialize(json, value, UatJson.Default.JsonNode);
            json.WriteString("slot", packet.slot);
            json.WriteEndObject();
        }
    });

    /// <summary>Answers to wrong commands.</summary>
    public static ReadOnlyMemory<byte> Errors(IReadOnlyList<UatError> errors) => Write(errors, static (json, errors) =>
    {
        foreach (var error in errors)
        {
            WriteStart(json, "ErrorReply");
            json.WriteString("name", error.Name);
            if (error.Argument is not null)
            {
                json.WriteString("argument", error.Argument);
            }

            json.WriteString("reason", error.Reason);
            json.WriteString("description", error.Description);
            json.WriteEndObject();
        }
    });

    private static ReadOnlyMemory<byte> Write<T>(T content, Action<Utf8JsonWriter, T> write)
    {
        var packet = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(packet))
        {
            json.WriteStartArray();
            write(json, content);
            json.WriteEndArray();
        }

        return packet.WrittenMemory;
    }

    private static void WriteStart(Utf8JsonWriter json, string command)
    {
        json.WriteStartObject();
        json.WriteString("cmd", command);
    }
}

/// <summary>A variable and its value; null while it has none.</summary>
internal readonly record struct UatVariable(string Name, JsonNode? Value);

/// <summary>What is wrong with a command.</summary>
/// <param name="Name">The command.</param>
/// <param name="Reason">A reason of the protocol.</param>
/// <param name="Description">What to change.</param>
/// <param name="Argument">The argument, if it is one.</param>
internal sealed record UatError(string Name, string Reason, string Description, string? Argument = null);
