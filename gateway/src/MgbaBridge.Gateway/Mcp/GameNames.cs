using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Mcp;

/// <summary>The open game and its names: what a model's words for a place in memory mean.</summary>
/// <param name="Epoch">The epoch in which the game is open.</param>
/// <param name="Game">The game.</param>
/// <param name="Names">Its names.</param>
internal sealed record GameNames(uint Epoch, GameInfo Game, GameSymbols Names)
{
    private const string GameBoy = "gb";

    /// <summary>Whether pointers have two bytes.</summary>
    public bool IsGameBoy => Game.Platform == GameBoy;

    /// <summary>The names of the game that is open.</summary>
    /// <exception cref="ToolException">The emulator cannot say.</exception>
    public static async Task<GameNames> OfAsync(ToolCall call)
    {
        using var reply = await call.Emulator.SendAsync(new ReadGame(), call.Options, call.Cancelled);
        if (reply.Failure is { } failure)
        {
            throw NextSteps.Of(failure, call.Emulator);
        }

        var game = ReadGame.Parse(reply);
        return new GameNames(reply.Epoch, game, call.Single<SymbolStore>().Of((uint)game.Crc32));
    }

    /// <summary>The property that is meant, and where it begins.</summary>
    /// <exception cref="ToolException">There is none.</exception>
    public (GameProperty Property, Location At) Find(string text)
    {
        var wrong = TypedPlace.Find(Names, text, out var property, out var location);
        return wrong is null ? (property, location) : throw new ToolException(wrong, $"read the resource symbols of the emulator, which lists the names. {TypedPlace.FormatHint}");
    }

    /// <summary>Reads places, all in one frame.</summary>
    /// <exception cref="ToolException">They cannot be read.</exception>
    public async Task<NamedValues> ReadAsync(ToolCall call, IReadOnlyList<string> texts)
    {
        var wanted = texts.Select(Find).ToArray();
        var characters = wanted.Sum(one => one.Property.Type.Cost.Characters);
        if (characters > call.Settings.ResponseBudget)
        {
            throw new ToolException($"These values have up to {characters} characters; Bridge:Mcp:ResponseBudget allows {call.Settings.ResponseBudget}.", "read less at once.");
        }

        var values = await new ValueReaders(call.Emulator, IsGameBoy, wanted).ReadAsync(Epoch, call.Cancelled);
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
