using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Api.Game;

/// <summary>The game and the machine it runs on.</summary>
internal static class GameOperations
{
    private const string Tag = "Game";

    public static CommandOperation<ReadGame, GameAnswer> Get { get; } = new("game.get", HttpMethods.Get, "/v2/game", Access.Read)
    {
        Tag = Tag,
        Summary = "The loaded game",
        Request = Parameters.Always(new ReadGame()),
        Read = static (_, reply) => GameAnswer.Of(reply),
        Response = GameJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","title":"MGBABRIDGE","code":"AGB-BBTE","gameCode":"BBTE","platform":"gba","crc32":"0x5C2A19B4","romSize":4096,"frameCycles":280896,"frequency":16777216}""",
    };

    public static CommandOperation<ReadChecksum, ChecksumAnswer> Checksum { get; } = new("game.checksum", HttpMethods.Get, "/v2/checksum", Access.Read)
    {
        Tag = Tag,
        Summary = "The CRC32 of the ROM",
        Request = Parameters.Always(new ReadChecksum()),
        Read = static (_, reply) => new ChecksumAnswer(reply.Frame, reply.Epoch, Hex.Of(ReadChecksum.Parse(reply))),
        Response = GameJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x5C2A19B4"}""",
    };

    public static HandlerOperation<NoParameters, CapabilitiesAnswer> Capabilities { get; } = new("game.capabilities", HttpMethods.Get, "/v2/capabilities", Access.Read)
    {
        Tag = Tag,
        Summary = "The capabilities of this emulator",
        Request = Parameters.None,
        Run = static (context, _) => context.SendAsync(new ListCommands(), reply =>
            new CapabilitiesAnswer(reply.Frame, reply.Epoch, context.Emulator.Health.Hello?.Capabilities ?? [], ListCommands.Parse(reply))),
        Response = GameJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","capabilities":["screen","registers"],"commands":["ping read no arguments"]}""",
    };

    public static CommandOperation<ResetGame, DoneAnswer> Reset { get; } = new("game.reset", HttpMethods.Post, "/v2/reset", Access.Write)
    {
        Tag = Tag,
        Summary = "Reset the game",
        Description = "The same as switching the console off and on: memory is cleared, save data is kept.",
        Request = Parameters.Always(new ResetGame()),
        Read = DoneAnswer.Of,
        Response = BridgeJson.Default,
        ResponseExample = DoneAnswer.Example,
        Batch = BatchEntry.Of("reset", "reset the game.", new ResetGame(), ItemResultKind.Done),
    };

    public static CommandOperation<StepInstruction, DoneAnswer> Step { get; } = new("game.step", HttpMethods.Post, "/v2/step", Access.Write)
    {
        Tag = Tag,
        Summary = "Run one CPU instruction",
        Description = "For frames instead of instructions, take a lease.",
        Request = Parameters.Always(new StepInstruction()),
        Read = DoneAnswer.Of,
        Response = BridgeJson.Default,
        ResponseExample = DoneAnswer.Example,
    };

    public static CommandOperation<WriteConsole, DoneAnswer> Console { get; } = new("console.write", HttpMethods.Post, "/v2/console", Access.Write)
    {
        Tag = Tag,
        Summary = "Write a line into mGBA's Scripting window",
        Request = Parameters.Of(
            Parameter.Text("text", "The line.", 65_536, minLength: 0),
            Parameter.Choice<ConsoleLevel>("level", "How it is shown.").Or(ConsoleLevel.Log),
            static (text, level) => new WriteConsole(level, text)),
        RequestExample = """{"text":"hello","level":"log"}""",
        Read = DoneAnswer.Of,
        Response = BridgeJson.Default,
        ResponseExample = DoneAnswer.Example,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Checksum, Capabilities, Reset, Step, Console];
}

/// <summary>The JSON of the game.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(GameAnswer))]
[JsonSerializable(typeof(ChecksumAnswer))]
[JsonSerializable(typeof(CapabilitiesAnswer))]
internal sealed partial class GameJson : JsonSerializerContext;
