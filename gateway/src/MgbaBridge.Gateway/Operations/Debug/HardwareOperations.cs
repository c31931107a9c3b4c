using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>The devices of the console.</summary>
internal static class HardwareOperations
{
    private const string WorkMemory = "wram";
    private const string WorkMemoryOfGba = "iwram";
    private const long WorkMemoryOfFirst = 0x2000; // of a Game Boy without colours

    private static readonly Resource Resource = new("Debugging", HardwareJson.Default);

    /// <summary>Which device.</summary>
    public static Parameters<string?> Part { get; } = Parameters.Of(Parameter.OneOf(
        "part", "Only this device.", [.. HardwareRegister.OfGba.Concat(HardwareRegister.OfGameBoy).Select(register => register.Part).Distinct()]).Optional() with
    { IsArgument = true });

    public static HandlerOperation<string?, HardwareAnswer> Get { get; } = new(Resource, "debug.hardware", HttpMethods.Get, "/v2/debug/hardware", Access.Read)
    {
        Summary = "The state of display, sound, DMA, timers and interrupts",
        Description = "The registers of the console's devices, all from one frame, with what their bits mean. They are read without any effect on the game, "
            + "as they were written or as the device has set them: `count` of a timer of a GBA and `KEYINPUT` are those that the game itself has started or read last.",
        Request = Part,
        Run = static async (invocation, part) =>
        {
            using var list = await invocation.Emulator.SendAsync(new ListDomains(), invocation.Options, invocation.Cancelled);
            return list.Failure is { } failure ? Failure.Of(failure) : await ReadAsync(invocation, ListDomains.Parse(list), part);
        },
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","platform":"gba","parts":[{"name":"interrupts","registers":[{"name":"IME","address":"0x04000208","value":1,"fields":[{"name":"enabled","value":1}]}]}]}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get];

    private static async ValueTask<Result<HardwareAnswer>> ReadAsync(Invocation invocation, IReadOnlyList<MemoryDomain> domains, string? part)
    {
        var isGba = domains.Any(static domain => domain.Id == WorkMemoryOfGba);
        var isColor = domains.Any(static domain => domain is { Id: WorkMemory, Size: > WorkMemoryOfFirst });
        HardwareRegister[] registers =
        [
            .. (isGba ? HardwareRegister.OfGba : HardwareRegister.OfGameBoy).Where(register => (isColor || !register.IsColor) && (part is null || register.Part == part)),
        ];
        if (registers.Length == 0)
        {
            return Failure.BadRequest($"This console has no {part} that can be read.");
        }

        var banks = isGba ? null : await BanksAsync(invocation);
        return await invocation.SendAsync(
            new GatherMemory([.. registers.Select(static register => new MemoryRange(register.Location, register.Size, null))]),
            reply => new HardwareAnswer(reply.Frame, reply.Epoch, isGba ? "gba" : "gb", PartsOf(registers, reply), banks));
    }

    /// <summary>Which banks of a Game Boy are mapped; null in a window.</summary>
    internal static async Task<IReadOnlyDictionary<string, long>?> BanksAsync(Invocation invocation)
    {
        using var reply = await invocation.Emulator.SendAsync(new ReadBanks(), invocation.Options, invocation.Cancelled);
        return reply.Failure is null ? ReadBanks.Parse(reply) : null;
    }

    private static List<HardwarePartAnswer> PartsOf(HardwareRegister[] registers, Reply reply)
    {
        var answers = new List<(string Part, HardwareRegisterAnswer Answer)>();
        var at = 0;
        foreach (var register in registers)
        {
            answers.Add((register.Part, register.Decode(reply.Tail.Span.Slice(at, register.Size))));
            at += register.Size;
        }

        return [.. answers.GroupBy(static answer => answer.Part).Select(static part => new HardwarePartAnswer(part.Key, [.. part.Select(static answer => answer.Answer)]))];
    }
}
