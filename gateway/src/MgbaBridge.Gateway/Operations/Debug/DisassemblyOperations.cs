using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>The code of the game as text.</summary>
internal static class DisassemblyOperations
{
    private const int UsualCount = 16;

    private static readonly Resource Resource = new("Debugging", DisassemblyJson.Default);

    /// <summary>Where to begin.</summary>
    public static Parameter<string?> Address { get; } = Parameter.Text(
        "address", "Where to begin: an address, a place in a domain (`cart0:0x8000`), or a symbol, perhaps with an offset; of a GBA an odd address is in Thumb. Without it, at the instruction that is executed next.")
        .Optional() with
    { Example = "0x08000000", IsArgument = true };

    /// <summary>As which instructions.</summary>
    public static Parameter<string?> Mode { get; } = Parameter.OneOf("mode", "As which instructions. As the processor executes them now, unless given.", "arm", "thumb", "sm83").Optional();

    public static HandlerOperation<DisassemblyRequest, DisassemblyAnswer> Get { get; } = new(Resource, "debug.disassemble", HttpMethods.Get, "/v2/debug/disassembly", Access.Read)
    {
        Summary = "Instructions as text",
        Description = "With the symbols of the game, and those of what they call, read and write. Memory is read without any effect on devices.",
        Request = Parameters.Of(
            Address,
            Parameter.Integer("count", 1, (int)Limits.Instructions, "How many.").Or(UsualCount),
            Mode,
            Parameter.Integer("bank", 0, (int)Limits.Bank, "In which bank of a Game Boy. That of the symbol or domain unless given, otherwise the one that is mapped now.").Optional(),
            static (address, count, mode, bank) => new DisassemblyRequest(address, count, mode, bank)),
        Run = RunAsync,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","instructions":[{"address":"0x080000C0","symbol":"main","bytes":"0a0000eb","text":"bl 0x080000f0","kind":"call","target":{"address":"0x080000F0","symbol":"update"}}]}""",
        Statuses = [(FailureKind.NoSuchName, "the game has no symbol of this name."), (ErrorCode.Unsupported, "the game runs in a window: mGBA hands its instructions only to mgba-headless.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get];

    private static async ValueTask<Result<DisassemblyAnswer>> RunAsync(Invocation invocation, DisassemblyRequest request)
    {
        var (game, unread) = await DebuggedGame.ReadAsync(invocation);
        if (game is null)
        {
            return unread!;
        }

        var place = default(BusPlace?);
        if (request.Address is { } address)
        {
            (place, var unknown) = await game.FindAsync(invocation, address, 1);
            if (unknown is not null)
            {
                return unknown;
            }
        }

        return await invocation.SendAsync(new Disassemble(request.Count, place?.At.Address, request.Mode, request.Bank ?? place?.At.Bank), reply =>
        {
            var nameOf = game.NamesIn(reply.Epoch); // another game may have been opened since
            return new DisassemblyAnswer(reply.Frame, reply.Epoch, [.. Disassemble.Parse(reply).Select(instruction => AnswerOf(instruction, game.Game.IsGameBoy, nameOf))]);
        });
    }

    private static InstructionAnswer AnswerOf(in Instruction instruction, bool isGameBoy, Func<long, long?, string?> nameOf) => new(
        Hex.Of(instruction.Address),
        isGameBoy ? instruction.Bank : null,
        nameOf(instruction.Address, instruction.Bank),
        instruction.Bytes,
        instruction.Text,
        instruction.Kind,
        TargetOf(instruction, isGameBoy, nameOf));

    private static TargetAnswer? TargetOf(in Instruction instruction, bool isGameBoy, Func<long, long?, string?> nameOf) => instruction.Target is not { } target ? null : new TargetAnswer(
        Hex.Of(target),
        isGameBoy ? instruction.TargetBank : null,
        nameOf(target, instruction.TargetBank),
        instruction.Value is { } value ? Hex.Of(value) : null,
        instruction.Value is { } word ? nameOf(word, null) : null);
}
