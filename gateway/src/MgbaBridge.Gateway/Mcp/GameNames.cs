using System.Globalization;
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
    /// <summary>How places are written.</summary>
    public const string FormatHint =
        "Places are names of properties or symbols (player.hp, edges[3], counter+0x4), or a location with a type: \"0x02000008 u32\", \"wram:0x10 u8 4\" (4 numbers), "
        + "\"0x02000100 text 16\", \"0x08000000 bytes 32\". Types are u8, s8, u16, s16, u32, s32, with be behind them for big-endian.";

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
        var words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var property = Names.Properties?.Find(text) ?? (words.Length is 0 or > 3 ? throw Wrong(text) : Typed(text, words));
        return property.At.TryFind(Names.Symbols, out var location)
            ? (property, location)
            : throw new ToolException($"{text} is at the symbol {property.At.Symbol}, which this game does not have.", "use another name, or a location.");
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

    private GameProperty Typed(string text, string[] words)
    {
        if (!ValueLocation.TryParse(words[0], out var place))
        {
            throw Wrong(text);
        }

        var size = 0L;
        if (place.Symbol is { } name)
        {
            if (Names.Symbols is not { } symbols || !symbols.TryGet(name, out var symbol))
            {
                throw new ToolException($"This game has no property and no symbol {name}.", $"read the resource symbols of the emulator, which lists the names. {FormatHint}");
            }

            size = symbol.Size;
        }

        var type = words.Length > 1 ? words[1] : place.Symbol is null ? throw Wrong(text) : size switch { 1 => "u8", 2 => "u16", _ => "u32" };
        return new GameProperty(text, place, [], FormOf(text, type, words.Length > 2 ? words[2] : null));
    }

    private static IValueType FormOf(string text, string type, string? amount)
    {
        var count = 1;
        if (amount is not null && (!int.TryParse(amount, NumberStyles.None, CultureInfo.InvariantCulture, out count) || count is < 1 or > NameLimits.Value))
        {
            throw Wrong(text);
        }

        if (type is "text" or "bytes")
        {
            var most = type == "text" ? NameLimits.Text : NameLimits.Value;
            return amount is null || count > most ? throw new ToolException($"{text} needs how many bytes it has, 1 to {most}.", $"write for example \"{type} 16\" behind the place.")
                : type == "text" ? new TextType(count, TextTable.Ascii) : new BytesType(count);
        }

        var isBig = type.EndsWith("be", StringComparison.Ordinal);
        if (!NumberTypes.TryParse(isBig ? type[..^2] : type, out var number) || count > NameLimits.Parts)
        {
            throw Wrong(text);
        }

        var form = new ScalarType(number, isBig ? Endian.Big : Endian.Little);
        return amount is null ? form : new ArrayType(form, count);
    }

    private static ToolException Wrong(string text) => new($"\"{(text.Length <= 80 ? text : text[..80])}\" is not a place with a type.", FormatHint);
}
