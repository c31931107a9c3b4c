using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Reads memory.</summary>
internal sealed class ReadTool : AgentTool
{
    [SetsRequiredMembers]
    public ReadTool()
        : base("read", Access.Read)
    {
        Title = "Read memory";
        Description = $"Reads values by name or location, all from one frame. Changes nothing. {TypedPlace.FormatHint}";
        Parameters = [new ToolParameter("places", ArgumentKind.Texts, "What to read, 1 to 64 places.") { IsRequired = true, MaxLength = 200 }];
        IsIdempotent = true;
        Output = ToolJson.Default.ReadAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var places = call.Arguments.Texts("places")!;
        if (places.Count == 0)
        {
            throw new ToolException("places is empty.", $"name what to read. {TypedPlace.FormatHint}");
        }

        var game = await GameNames.OfAsync(call);
        var read = await game.ReadAsync(call, places);
        call.Frame = read.Frame;
        call.Note = string.Join(", ", places);
        return Result(new ReadAnswer(call.Emulator.Id, read.Frame, [.. places.Zip(read.Values, (place, value) => new PlaceAnswer(place, value.Location?.ToString(), GameNames.JsonOf(value)))]));
    }
}
