using System.Text.Json;

namespace MgbaBridge.Gateway.Interfaces.Uat;

/// <summary>A command of a client.</summary>
/// <param name="Slot">The slot whose variables it requests; empty for all slots.</param>
/// <param name="Error">What is wrong with it.</param>
internal readonly record struct UatCommand(string Slot, UatError? Error)
{
    /// <summary>The most commands of a packet.</summary>
    public const int Max = 64;

    private const string Cmd = "cmd";
    private const string Sync = "Sync";
    private const string SlotArgument = "slot";

    /// <summary>Reads a packet.</summary>
    /// <exception cref="JsonException">It is not JSON, or a text in it is no Unicode, which ends the connection.</exception>
    public static IReadOnlyList<UatCommand> ReadPacket(ReadOnlyMemory<byte> packet)
    {
        try
        {
            return Read(packet);
        }
        catch (InvalidOperationException exception)
        {
            throw new JsonException("A text contains half of a surrogate pair.", exception);
        }
    }

    /// <summary>The answer to a slot that does not exist.</summary>
    public static UatError UnknownSlot(IEnumerable<string> slots) => new(Sync, "bad value", $"The slots are {string.Join(", ", slots)}.", SlotArgument);

    /// <summary>The answer when variables cannot be read.</summary>
    public static UatError Unreadable(string problem) => new(Sync, "unknown", problem);

    private static IReadOnlyList<UatCommand> Read(ReadOnlyMemory<byte> packet)
    {
        using var document = JsonDocument.Parse(packet);
        return document.RootElement switch
        {
            { ValueKind: not JsonValueKind.Array } => [Wrong("", "unknown", "A packet is an array of commands.")],
            var commands when commands.GetArrayLength() > Max => [Wrong("", "unknown", $"A packet has up to {Max} commands.")],
            var commands => [.. commands.EnumerateArray().Select(Read)],
        };
    }

    private static UatCommand Read(JsonElement command)
    {
        if (command.ValueKind != JsonValueKind.Object)
        {
            return Wrong("", "unknown", "A command is an object.");
        }

        if (!command.TryGetProperty(Cmd, out var name))
        {
            return Wrong("", "missing argument", "A command has a name.", Cmd);
        }

        if (name.ValueKind != JsonValueKind.String)
        {
            return Wrong("", "bad value", "The name of a command is a string.", Cmd);
        }

        if (!name.ValueEquals(Sync))
        {
            return Wrong(name.GetString()!, "unknown cmd", $"The only command of a client is {Sync}.");
        }

        return !command.TryGetProperty(SlotArgument, out var slot) ? new UatCommand("", null)
            : slot.ValueKind == JsonValueKind.String ? new UatCommand(slot.GetString()!, null)
            : Wrong(Sync, "bad value", "A slot is a string.", SlotArgument);
    }

    private static UatCommand Wrong(string name, string reason, string description, string? argument = null) => new("", new UatError(name, reason, description, argument));
}
