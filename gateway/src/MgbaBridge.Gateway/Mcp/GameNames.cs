using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Api.Symbols;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Mcp;

/// <summary>What a model's words for a place in memory mean in the open game.</summary>
internal static class GameNames
{
    /// <summary>The open game and its names.</summary>
    /// <exception cref="ToolException">The emulator cannot say.</exception>
    public static async Task<OpenGame> OfAsync(ToolCall call)
    {
        var (game, failure) = await OpenGame.ReadAsync(call.Emulator, call.Single<SymbolStore>(), call.Options, call.Cancelled);
        return game ?? throw NextSteps.Of(failure!, call.Emulator);
    }

    /// <summary>The property that is meant, and where it begins.</summary>
    /// <exception cref="ToolException">There is none.</exception>
    public static (GameProperty Property, Location At) Find(this OpenGame game, string text)
    {
        var wrong = TypedPlace.Find(game.Names, text, out var property, out var location);
        return wrong is null ? (property, location) : throw new ToolException(wrong, $"read the resource symbols of the emulator, which lists the names. {TypedPlace.FormatHint}");
    }

    /// <summary>Reads places, all in one frame.</summary>
    /// <exception cref="ToolException">They cannot be read.</exception>
    public static async Task<NamedValues> ReadAsync(this OpenGame game, ToolCall call, IReadOnlyList<string> texts)
    {
        var wanted = texts.Select(game.Find).ToArray();
        var characters = wanted.Sum(one => one.Property.Type.Cost.Characters);
        if (characters > call.Settings.ResponseBudget)
        {
            throw new ToolException($"These values have up to {characters} characters; Bridge:Mcp:ResponseBudget allows {call.Settings.ResponseBudget}.", "read less at once.");
        }

        var values = await new ValueReaders(call.Emulator, game.IsGameBoy, wanted).ReadAsync(game.Epoch, call.Cancelled);
        return values switch
        {
            { Failure: { } failure } => throw NextSteps.Of(failure, call.Emulator),
            { Unsettled: true } => throw new ToolException("Pointers on the way to these values changed whenever they were followed.", "try again."),
            _ => values,
        };
    }

    /// <summary>A value as JSON; bytes as hex digits, which models read better than base64. Null where a pointer on the way is 0.</summary>
    public static JsonNode? JsonOf(NamedValue value) =>
        value.Location is null ? null
        : value.Property.Type is BytesType ? JsonValue.Create(Convert.ToHexStringLower(value.Bytes.Span))
        : value.Property.Type.Read(value.Bytes.Span);
}
