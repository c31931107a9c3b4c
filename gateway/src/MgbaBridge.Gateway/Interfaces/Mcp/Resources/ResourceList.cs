using System.Text;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Screen;
using MgbaBridge.Gateway.Operations.Symbols;
using MgbaBridge.Gateway.Security;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using Resource = ModelContextProtocol.Protocol.Resource;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Resources;

/// <summary>What clients can read and show without a tool: of each emulator the screen, the names of its game, and the notes about it.</summary>
internal sealed class ResourceList(EmulatorRegistry emulators, GameNotes notes, McpOptions options, IServiceProvider services)
{
    private const string Prefix = "mgba://emulators/";
    private const string Screen = "screen";
    private const string Symbols = "symbols";
    private const string Notes = "notes";

    private static readonly (string Name, string Title, string Type, string Description)[] Kinds =
    [
        (Screen, "Screen", "image/png", "The picture of the game now. It can be subscribed to; updates come at most once a second."),
        (Symbols, "Names", "text/plain", "The names of the game's values: properties with place and type, then symbols."),
        (Notes, "Notes", "text/markdown", "What agents have noted about the game; the tool notes changes it."),
    ];

    /// <summary>The resources of the emulators that the caller sees.</summary>
    public ListResourcesResult List(Caller caller) => new()
    {
        Resources = [.. from emulator in emulators.SeenBy(caller.Owner)
                        from kind in Kinds
                        where IsFor(caller, kind.Name)
                        select new Resource { Uri = $"{Prefix}{emulator.Id}/{kind.Name}", Name = $"{kind.Name}-{emulator.Id}", Title = $"{kind.Title} of emulator {emulator.Id}", MimeType = kind.Type, Description = kind.Description }],
    };

    /// <summary>The forms of their URIs.</summary>
    public static ListResourceTemplatesResult Templates() => new()
    {
        ResourceTemplates = [.. Kinds.Select(kind => new ResourceTemplate { UriTemplate = $"{Prefix}{{id}}/{kind.Name}", Name = kind.Name, Title = kind.Title, MimeType = kind.Type, Description = kind.Description })],
    };

    /// <summary>Reads a resource.</summary>
    /// <param name="uri">Its URI.</param>
    /// <param name="caller">Who reads it.</param>
    /// <param name="missing">The error if there is none, which depends on the version of the protocol.</param>
    /// <param name="cancelled">Cancelled when the client does not wait any more.</param>
    /// <exception cref="McpProtocolException">There is none, or it cannot be read.</exception>
    public async ValueTask<ReadResourceResult> ReadAsync(string uri, Caller caller, McpErrorCode missing, CancellationToken cancelled)
    {
        var (emulator, kind) = Find(uri, caller, missing);
        var invocation = new Invocation(emulator, default, services, cancelled) { Caller = caller };
        try
        {
            if (kind.Name == Screen)
            {
                using var shown = await ScreenOperations.Get.InvokeAsync(invocation, (1, PictureFormat.Png));
                return shown.Failure is { } failed ? throw NextSteps.Of(failed, emulator)
                    : new ReadResourceResult { Contents = [BlobResourceContents.FromBytes(Indexed(shown.Value!.Bytes), uri, kind.Type)] };
            }

            var (game, failure) = await GameContext.ReadAsync(invocation);
            var text = game is null ? throw NextSteps.Of(failure!, emulator) : kind.Name == Notes ? notes.Read(game.Crc32) : NamesOf(game);
            return new ReadResourceResult { Contents = [new TextResourceContents { Uri = uri, MimeType = kind.Type, Text = text }] };
        }
        catch (Exception exception) when (NextSteps.Of(exception, emulator) is { } error)
        {
            throw new McpProtocolException(error.Text(caller, static operation => $"the operation {operation.Name}"), McpErrorCode.InternalError);
        }
    }

    /// <summary>The emulator whose screen the URI names.</summary>
    /// <exception cref="McpProtocolException">It names something else.</exception>
    public EmulatorClient ScreenOf(string uri, Caller caller, McpErrorCode missing) => Find(uri, caller, missing) is (var emulator, { Name: Screen })
        ? emulator
        : throw new McpProtocolException($"{Shown(uri)} does not change by itself; only screens can be subscribed to.", McpErrorCode.InvalidParams);

    private (EmulatorClient Emulator, (string Name, string Title, string Type, string Description) Kind) Find(string uri, Caller caller, McpErrorCode missing)
    {
        if (uri.StartsWith(Prefix, StringComparison.Ordinal) && uri[Prefix.Length..].Split('/') is [var id, var name] && emulators.TryGet(id, caller.Owner, out var emulator))
        {
            foreach (var kind in Kinds)
            {
                if (kind.Name == name && IsFor(caller, name))
                {
                    return (emulator, kind);
                }
            }
        }

        throw new McpProtocolException($"There is no resource {Shown(uri)}. resources/list lists them.", missing) { Data = { ["uri"] = Shown(uri) } };
    }

    /// <summary>Notes belong to a game, and all agents that play it share them.</summary>
    private static bool IsFor(Caller caller, string kind) => caller.Owner is null || kind != Notes;

    private static string Shown(string uri) => uri.Length <= 80 ? uri : uri[..80];

    private static byte[] Indexed(ReadOnlyMemory<byte> shown)
    {
        if (IndexedPicture.Of(shown.Span) is not { } picture)
        {
            return shown.ToArray();
        }

        using var png = StreamPool.Rent("screen for an agent");
        picture.Write(new PictureRegion(0, 0, picture.Width, picture.Height), 1, png);
        return png.ToArray();
    }

    private string NamesOf(GameContext game)
    {
        var names = game.Names;
        var properties = (names.Properties?.Properties ?? []).Select(property => $"{property.Name} {property.Type.Kind} at {property.At}");
        var places = (names.Symbols?.All ?? []).Select(symbol => $"{symbol.Name} at {symbol.Location}{(symbol.Size > 0 ? $" ({symbol.Size} bytes)" : "")}");
        var constants = (names.Symbols?.Constants ?? []).Select(constant => $"{constant.Name}, a constant: {constant.Value}");
        string[] all = [.. properties, .. places, .. constants];
        var text = new StringBuilder($"{game.Game.Title}: {all.Length} names\n");
        for (var index = 0; index < all.Length; index++)
        {
            if (text.Length + all[index].Length > options.ResponseBudget)
            {
                text.Append($"and {all.Length - index} more; the operation symbols.list finds them by a part of their name\n");
                break;
            }

            text.Append(all[index]).Append('\n');
        }

        return text.ToString();
    }
}
