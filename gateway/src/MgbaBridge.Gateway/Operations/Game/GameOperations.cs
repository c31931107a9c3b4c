using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Game;

/// <summary>The game and the machine it runs on.</summary>
internal static class GameOperations
{
    private static readonly Resource Resource = new("Game", GameJson.Default);

    public static HandlerOperation<NoParameters, GameAnswer> Get { get; } = new(Resource, "game.get", HttpMethods.Get, "/v2/game", Access.Read)
    {
        Summary = "The loaded game",
        Request = Parameters.None,
        Run = static (invocation, _) => ReadAsync(invocation),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","title":"MGBABRIDGE","code":"AGB-BBTE","gameCode":"BBTE","platform":"gba","crc32":"0x5C2A19B4","romSize":4096,"frameCycles":280896,"frequency":16777216,"""
            + """ "cartridge":{"saveType":{"value":"sram","origin":"detected"},"hardware":{"value":"none","origin":"default"},"idleLoop":{"value":"none","origin":"default"},"model":{"value":"AGB","origin":"default"},"bios":{"value":"built-in","origin":"default"},"skipBios":{"value":"false","origin":"default"},"clock":{"value":"host","origin":"default"}}}""",
        Batch = BatchEntry.Of("game.get", "The loaded game.", Parameters.Always(new ReadGame()), static (_, reply) => JsonSerializer.SerializeToElement(GameAnswer.Of(reply), GameJson.Default.GameAnswer)),
    };

    public static CommandOperation<ReadChecksum, ChecksumAnswer> Checksum { get; } = new(Resource, "game.checksum", HttpMethods.Get, "/v2/checksum", Access.Read)
    {
        Summary = "The CRC32 of the ROM",
        Request = Parameters.Always(new ReadChecksum()),
        Read = static (_, reply) => new ChecksumAnswer(reply.Frame, reply.Epoch, Hex.Of(ReadChecksum.Parse(reply))),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x5C2A19B4"}""",
    };

    public static HandlerOperation<NoParameters, Sha1Answer> Sha1 { get; } = new(Resource, "game.sha1", HttpMethods.Get, "/v2/checksum/sha1", Access.Read)
    {
        Summary = "The SHA-1 of the ROM",
        Description = "Databases of games identify a ROM by it. The gateway reads the whole ROM.",
        Request = Parameters.None,
        Run = static (invocation, _) => ReadSha1Async(invocation),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","sha1":"8843d7f92416211de9ebb963ff4ce28125932878"}""",
    };

    public static HandlerOperation<NoParameters, CapabilitiesAnswer> Capabilities { get; } = new(Resource, "game.capabilities", HttpMethods.Get, "/v2/capabilities", Access.Read)
    {
        Summary = "The capabilities of this emulator",
        Request = Parameters.None,
        Run = static (invocation, _) => invocation.SendAsync(new ListCommands(), reply =>
            new CapabilitiesAnswer(reply.Frame, reply.Epoch, invocation.Emulator.Health.Hello?.Capabilities ?? [], ListCommands.Parse(reply))),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","capabilities":["screen","registers"],"commands":["ping read no arguments"]}""",
    };

    public static CommandOperation<ResetGame, DoneAnswer> Reset { get; } = new(Resource, "game.reset", HttpMethods.Post, "/v2/reset", Access.Write)
    {
        Summary = "Reset the game",
        Description = "The same as switching the console off and on: memory is cleared, save data is kept.",
        Request = Parameters.Always(new ResetGame()),
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Batch = BatchEntry.Of("reset", "reset the game.", new ResetGame(), ItemResultKind.Done),
    };

    public static CommandOperation<StepInstruction, DoneAnswer> Step { get; } = new(Resource, "game.step", HttpMethods.Post, "/v2/step", Access.Write)
    {
        Summary = "Run one CPU instruction",
        Description = "For frames instead of instructions, take a lease.",
        Request = Parameters.Always(new StepInstruction()),
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
    };

    public static CommandOperation<WriteConsole, DoneAnswer> Console { get; } = new(Resource, "console.write", HttpMethods.Post, "/v2/console", Access.Write)
    {
        Summary = "Write a line into mGBA's Scripting window",
        Request = Parameters.Of(
            Parameter.Text("text", "The line.", 65_536, minLength: 0),
            Parameter.Choice<ConsoleLevel>("level", "How it is shown.").Or(ConsoleLevel.Log),
            static (text, level) => new WriteConsole(level, text)),
        RequestExample = """{"text":"hello","level":"log"}""",
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Checksum, Sha1, Capabilities, Reset, Step, Console];

    // what cannot be known of the cartridge is left out, as in windows and by older scripts
    private static async ValueTask<Result<GameAnswer>> ReadAsync(Invocation invocation)
    {
        var game = await invocation.SendAsync(new ReadGame(), GameAnswer.Of);
        if (game.Failure is not null)
        {
            return game;
        }

        var cartridge = await invocation.SendAsync(new ReadCartridge(), CartridgeAnswer.Of);
        var isKnown = cartridge is { Failure: null, Value: not null } && cartridge.Epoch == game.Epoch;
        var started = invocation.Get<Supervisor>().Find(invocation.Emulator.Id)?.Request.Options;
        return game with
        {
            Value = game.Value with
            {
                Cartridge = isKnown ? cartridge.Value : null,
                Patch = Path.GetFileName(started?.Patch),
                Cheats = Path.GetFileName(started?.Cheats),
            },
        };
    }

    private static async ValueTask<Result<Sha1Answer>> ReadSha1Async(Invocation invocation)
    {
        using var reply = await invocation.Emulator.SendAsync(new ReadGame(), invocation.Options, invocation.Cancelled);
        if (reply.Failure is { } failure)
        {
            return Failure.Of(failure);
        }

        (var hash, failure) = await RomHash.ReadAsync(invocation.Emulator, ReadGame.Parse(reply).RomSize, invocation.Options with { Epoch = reply.Epoch }, invocation.Cancelled);
        return hash is null ? Failure.Of(failure!) : Result.At(new Sha1Answer(reply.Frame, reply.Epoch, Convert.ToHexStringLower(hash)), reply.Frame, reply.Epoch);
    }
}

/// <summary>The JSON of the game.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(GameAnswer))]
[JsonSerializable(typeof(ChecksumAnswer))]
[JsonSerializable(typeof(Sha1Answer))]
[JsonSerializable(typeof(CapabilitiesAnswer))]
internal sealed partial class GameJson : JsonSerializerContext;
