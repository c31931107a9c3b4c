using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>What a model's words for a place in memory mean in the open game.</summary>
internal static class GameNames
{
    /// <summary>The open game and its names.</summary>
    /// <exception cref="ToolException">The emulator cannot say.</exception>
    public static async Task<GameContext> OfAsync(ToolCall call)
    {
        var (game, failure) = await GameContext.ReadAsync(call.Invocation);
        return game ?? throw NextSteps.Of(failure!, call.Emulator);
    }

    /// <summary>The property that is meant, and where it begins.</summary>
    /// <exception cref="ToolException">There is none.</exception>
    public static (GameProperty Property, Location At) Find(this GameContext game, string text) =>
        Found(TypedPlace.Find(game.Names, text, out var property, out var location), property, location);

    /// <summary>The places that are meant, within what a response may have.</summary>
    /// <exception cref="ToolException">There are none, or there is too much in them.</exception>
    public static (GameProperty Property, Location At)[] FindAll(this GameContext game, ToolCall call, IReadOnlyList<string> texts)
    {
        var wanted = texts.Select(text => Found(TypedPlace.FindToRead(game.Names, text, out var property, out var location), property, location)).ToArray();
        var characters = wanted.Sum(one => one.Property.Type.Cost.Characters);
        if (characters > call.Settings.ResponseBudget)
        {
            throw new ToolException($"These values have up to {characters} characters; Bridge:Mcp:ResponseBudget allows {call.Settings.ResponseBudget}.", "read less at once.");
        }

        return wanted;
    }

    /// <summary>Reads places, all in one frame.</summary>
    /// <exception cref="ToolException">They cannot be read.</exception>
    public static async Task<NamedValues> ReadAsync(this GameContext game, ToolCall call, IReadOnlyList<string> texts)
    {
        var (found, failure) = await ValueOperations.FindAsync(call.Invocation, game, game.FindAll(call, texts));
        return found ?? throw NextSteps.Of(failure!, call.Emulator);
    }

    private static (GameProperty Property, Location At) Found(string? wrong, GameProperty property, Location at) =>
        wrong is null ? (property, at) : throw new ToolException(wrong, $"read the resource symbols of the emulator, which lists the names. {TypedPlace.ExpectedFormat}");

    /// <summary>A value as JSON; bytes as hex digits, which models read better than base64. Null where a pointer on the way is 0.</summary>
    public static JsonNode? JsonOf(NamedValue value) =>
        !value.IsKnown ? null
        : value.Property.Type is BytesType ? JsonValue.Create(Convert.ToHexStringLower(value.Bytes.Span))
        : value.Property.Type.Read(value.Bytes.Span);
}
