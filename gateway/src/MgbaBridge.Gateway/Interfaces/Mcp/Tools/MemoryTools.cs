using System.Text.Json.Nodes;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Reads and writes memory.</summary>
internal static class MemoryTools
{
    private const int MaxPlace = 200;
    private const string ExamplePlace = "0x02000000 u32";

    public static AgentTool Read { get; } = new AgentTool<IReadOnlyList<string>, ReadAnswer>("read", Access.Read)
    {
        Title = "Read memory",
        Description = $"Reads values by name or location, all from one frame. Changes nothing. {TypedPlace.ExpectedFormat}",
        IsIdempotent = true,
        Request = Parameters.Of(Parameter.Texts("places", "What to read.", 1, 64, MaxPlace) with { Example = ExamplePlace }),
        Run = ReadAsync,
        Answer = ToolJson.Default,
    };

    public static AgentTool Write { get; } = new AgentTool<(string Place, string Value), WrittenAnswer>("write", Access.Write)
    {
        Title = "Write memory",
        IsRare = true,
        Description = $"Writes one value by name or location, exactly once. Returns what it was before. {TypedPlace.ExpectedFormat}",
        IsDestructive = true,
        IsIdempotent = true,
        Request = Parameters.Of(
            Parameter.Text("place", "Where.", MaxPlace) with { Example = ExamplePlace },
            new Parameter<string>("value", "The value: a number such as 12, -3 or 0xC, a text, hex digits for bytes, or a JSON list or object.", new TextKind(0, 16_384, takesJson: true)) { Example = "12" },
            static (place, value) => (place, value)),
        Run = WriteAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<ReadAnswer> ReadAsync(ToolCall call, IReadOnlyList<string> places)
    {
        var game = await GameNames.OfAsync(call);
        var read = await game.ReadAsync(call, places);
        call.Frame = read.Frame;
        call.Note = string.Join(", ", places);
        return new ReadAnswer(call.Emulator.Id, read.Frame, [.. places.Zip(read.Values, (place, value) => new PlaceAnswer(place, value.Location?.ToString(), GameNames.JsonOf(value)))]);
    }

    private static async Task<WrittenAnswer> WriteAsync(ToolCall call, (string Place, string Value) request)
    {
        var (place, value) = request;
        call.Note = $"{place} = {value}";
        var game = await GameNames.OfAsync(call);
        var found = game.Find(place);
        var bytes = new byte[found.Property.Type.Size];
        if (found.Property.Type.WriteText(value, bytes) is { } wrong)
        {
            throw new ToolException(wrong, "correct the value.");
        }

        var before = call.ResultOf(await ValueOperations.WriteAsync(call.Invocation, game, found, bytes));
        return new WrittenAnswer(call.Emulator.Id, call.Frame!.Value, place, before.Location!.Value.ToString(), GameNames.JsonOf(before));
    }
}

/// <summary>A written value.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame in which it was written.</param>
/// <param name="Place">The place, as it was requested.</param>
/// <param name="At">Where it was written.</param>
/// <param name="Before">What it was before.</param>
internal sealed record WrittenAnswer(string Emulator, long Frame, string Place, string At, JsonNode? Before);
