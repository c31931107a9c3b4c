using System.Globalization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Game;

/// <summary>The game and the machine it runs on.</summary>
public static class GameEndpoints
{
    private const string Tag = "Game";
    private const string DoneExample = """{"frame":4711,"epoch":"9f3a01c2"}""";

    /// <summary>Adds <c>/v2/game</c>, <c>/v2/checksum</c>, <c>/v2/capabilities</c>, <c>/v2/reset</c>, <c>/v2/step</c> and <c>/v2/console</c>.</summary>
    public static void MapGame(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/v2/game", Game).Describe(new OperationDescription(Tag, "Which game is loaded")
        {
            Answers = [Content.Json<GameAnswer>("""{"frame":4711,"epoch":"9f3a01c2","title":"MGBABRIDGE","code":"AGB-BBTE","gameCode":"BBTE","platform":"gba","crc32":"0x5C2A19B4","romSize":4096,"frameCycles":280896,"frequency":16777216}""")],
        });
        routes.MapGet("/v2/checksum", Checksum).Describe(new OperationDescription(Tag, "The CRC32 of the ROM")
        {
            Answers = [Content.Json<ChecksumAnswer>("""{"frame":4711,"epoch":"9f3a01c2","crc32":"0x5C2A19B4"}""")],
        });
        routes.MapGet("/v2/capabilities", Capabilities).Describe(new OperationDescription(Tag, "What this emulator can do")
        {
            Answers = [Content.Json<CapabilitiesAnswer>("""{"frame":4711,"epoch":"9f3a01c2","capabilities":["screen","registers"],"commands":["ping read no arguments"]}""")],
        });
        routes.MapPost("/v2/reset", http => http.SendAsCallerAsync(new ResetGame(), Callers.DoneAsync)).Describe(Plain(
            "Reset the game", "A power-on: memory is cleared, the save stays."));
        routes.MapPost("/v2/step", http => http.SendAsCallerAsync(new StepInstruction(), Callers.DoneAsync)).Describe(Plain(
            "Run one instruction of the processor", "For frames instead of instructions, take a lease."));
        routes.MapPost("/v2/console", Console).Describe(new OperationDescription(Tag, "Write a line into mGBA's Scripting window")
        {
            Inputs = [Input.Holder],
            Body = Content.Json<ConsoleBody>("""{"text":"hello","level":"log"}"""),
            Answers = [Content.Json<DoneAnswer>(DoneExample)],
        });
    }

    /// <summary>A CRC32 as text.</summary>
    internal static string Hex(long number) => $"0x{number.ToString("X8", CultureInfo.InvariantCulture)}";

    private static OperationDescription Plain(string summary, string description) => new(Tag, summary)
    {
        Description = description,
        Inputs = [Input.Holder],
        Answers = [Content.Json<DoneAnswer>(DoneExample)],
    };

    private static Task Game(HttpContext http) => http.SendAsync(new ReadGame(), static (http, _, reply) =>
        JsonBody.WriteAsync(http, GameAnswer.Of(reply), BridgeJson.Default.GameAnswer));

    private static Task Checksum(HttpContext http) => http.SendAsync(new ReadChecksum(), static (http, _, reply) =>
        JsonBody.WriteAsync(http, new ChecksumAnswer(reply.Frame, reply.Epoch, Hex(ReadChecksum.Parse(reply))), BridgeJson.Default.ChecksumAnswer));

    private static Task Capabilities(HttpContext http) => http.SendAsync(new ListCommands(), static (http, _, reply) =>
    {
        http.TryGetEmulator(out var emulator);
        var capabilities = emulator!.Health.Hello?.Capabilities ?? [];
        var answer = new CapabilitiesAnswer(reply.Frame, reply.Epoch, capabilities, ListCommands.Parse(reply));
        return JsonBody.WriteAsync(http, answer, BridgeJson.Default.CapabilitiesAnswer);
    });

    private static async Task Console(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.ConsoleBody) is { } body)
        {
            await http.SendAsCallerAsync(new WriteConsole(body.Level, body.Text), Callers.DoneAsync);
        }
    }
}
