using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>The code of the game as text.</summary>
internal static class DisassemblyOperations
{
    private const int UsualCount = 16;

    private static readonly Resource Resource = new("Debugging", DisassemblyJson.Default);

    public static HandlerOperation<DisassemblyRequest, DisassemblyAnswer> Get { get; } = new(Resource, "debug.disassemble", HttpMethods.Get, "/v2/debug/disassembly", Access.Read)
    {
        Summary = "Instructions as text",
        Description = "With the symbols of the game, and those of what they call, read and write. Memory is read without any effect on devices.",
        Request = Parameters.Of(
            Parameter.Text("address", "Where to begin: an address, a place in a domain (`cart0:0x8000`), or a symbol, perhaps with an offset; of a GBA an odd address is in Thumb. Without it, at the instruction that is executed next.")
                .Optional() with
            { Example = "0x08000000" },
            Parameter.Integer("count", 1, (int)Limits.Instructions, "How many.").Or(UsualCount),
            Parameter.OneOf("mode", "As which instructions. As the processor executes them now, unless given.", "arm", "thumb", "sm83").Optional(),
            Parameter.Integer("bank", 0, (int)Limits.Bank, "In which bank of a Game Boy. That of the symbol or domain unless given, otherwise the one that is mapped now.").Optional(),
            static (address, count, mode, bank) => new DisassemblyRequest(address, count, mode, bank)),
        Run = static (invocation, request) => GameContext.WithAsync(invocation, game => RunAsync(invocation, game, request)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","instructions":[{"address":"0x080000C0","symbol":"main","bytes":"0a0000eb","text":"bl 0x080000f0","kind":"call","target":{"address":"0x080000F0","symbol":"update"}}]}""",
        Statuses = [(404, "The game has no symbol of this name."), (501, "The game runs in a window: mGBA hands its instructions only to mgba-headless.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get];

    private static async ValueTask<Result<DisassemblyAnswer>> RunAsync(Invocation invocation, GameContext game, DisassemblyRequest request)
    {
        using var list = await invocation.Emulator.SendAsync(new ListDomains(), invocation.Options, invocation.Cancelled);
        if (list.Failure is { } failure)
        {
            return Failure.Of(failure);
        }

        var domains = ListDomains.Parse(list);
        var (place, unknown) = request.Address is { } address ? PlaceOf(game, domains, address) : default;
        if (unknown is not null)
        {
            return unknown;
        }

        return await invocation.SendAsync(new Disassemble(request.Count, place?.Address, request.Mode, request.Bank ?? place?.Bank), reply =>
        {
            // another game may have been opened since
            var names = new PlaceNames(reply.Epoch == game.Epoch ? game.Names : new GameSymbols(null, null), domains);
            return new DisassemblyAnswer(reply.Frame, reply.Epoch, [.. Disassemble.Parse(reply).Select(instruction => AnswerOf(instruction, game.IsGameBoy, names))]);
        });
    }

    private static (BankedAddress? Place, Failure? Unknown) PlaceOf(GameContext game, IReadOnlyList<MemoryDomain> domains, string text)
    {
        if (game.Names.Properties?.Find(text) is not { Chain.Count: 0, At: var at } && !ValueLocation.TryParse(text, out at))
        {
            return (null, Failure.BadRequest($"\"{text}\" is no place. {ValueLocation.ExpectedFormat}"));
        }

        if (!at.TryFind(game.Names.Symbols, out var location))
        {
            return (null, new Failure(FailureKind.NoSuchName, game.Names.WhyNoPlace(at.Symbol!) ?? $"This game has no symbol {at.Symbol}."));
        }

        return BankedAddress.Of(location, domains, game.IsGameBoy) is { Address: >= 0 and <= uint.MaxValue } place
            ? (place, null)
            : (null, Failure.BadRequest($"{text} is beyond the memory of this game."));
    }

    private static InstructionAnswer AnswerOf(in Instruction instruction, bool isGameBoy, PlaceNames names)
    {
        var at = new BankedAddress(instruction.Address, isGameBoy ? instruction.Bank : null);
        return new InstructionAnswer(Hex.Of(at.Address), at.Bank, names.NameOf(at.Location), instruction.Bytes, instruction.Text, instruction.Kind, TargetOf(instruction, isGameBoy, names));
    }

    private static TargetAnswer? TargetOf(in Instruction instruction, bool isGameBoy, PlaceNames names)
    {
        if (instruction.Target is not { } target)
        {
            return null;
        }

        var at = new BankedAddress(target, isGameBoy ? instruction.TargetBank : null);
        return instruction.Value is { } value
            ? new TargetAnswer(Hex.Of(target), at.Bank, names.NameOf(at.Location), Hex.Of(value), names.NameOf(Location.Bus(value)))
            : new TargetAnswer(Hex.Of(target), at.Bank, names.NameOf(at.Location), null, null);
    }
}
