using System.Buffers;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Operations.Cheats;

/// <summary>Codes that the emulator applies to the game.</summary>
internal static class CheatOperations
{
    private static readonly Resource Resource = new("Cheats", CheatJson.Default);
    private const string One = "/v2/cheats/{cheat}";
    private const int MaxName = 128;
    private const int MaxCodes = 65_536;

    private static readonly StatusNote NotInWindow = (ErrorCode.Unsupported, "the game runs in a window: mGBA hands its cheats only to mgba-headless.");
    private static readonly Parameter<string> Name = Parameter.Text("name", "The name of a cheat.", minLength: 0) with { PathName = "cheat", Example = "health" };
    private static readonly Parameter<bool> Enabled = Parameter.Flag("enabled", "Whether it is applied.");

    public static CommandOperation<ListCheats, CheatsAnswer> List { get; } = new(Resource, "cheats.list", HttpMethods.Get, "/v2/cheats", Access.Read)
    {
        Summary = "The cheats of the game",
        Description = "Those of the file of `--cheats`, and those that were added. Cheats of the file that cannot be used are listed last, with the `problem`.",
        Request = Parameters.Always(new ListCheats()),
        Read = static (_, reply) => Answer(reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","cheats":[{"name":"health","enabled":true,"codes":["32010008 0063"]},{"name":"money","enabled":false,"codes":["ZZ"],"problem":"line 8: \"ZZ\" is no code that mGBA knows for this console"}]}""",
        Statuses = [NotInWindow],
    };

    public static HandlerOperation<SetCheat, DoneAnswer> Set { get; } = new(Resource, "cheats.set", HttpMethods.Put, "/v2/cheats", Access.Write)
    {
        Summary = "Add a cheat",
        Description = "Or replaces the one of this name. mGBA applies it once a frame. Codes of the GBA: GameShark, Action Replay, CodeBreaker and `ADDRESS:VALUE`; of the Game Boy: Game Genie, GameShark, "
            + "CodeBreaker and `AAAA:VV`. A code that writes to the ROM is applied as a patch of it. A cheat ends when it is removed and when another game is loaded. An emulator that the gateway started has its cheats again "
            + "after a restart.",
        Request = Parameters.Of(
            Parameter.Text("name", $"Its name, 1 to {MaxName} bytes.", MaxName, minLength: 1),
            Parameter.Text("codes", $"The codes, one in a line or separated by `+`; up to {MaxCodes} bytes.", MaxCodes, minLength: 1),
            Enabled.Or(true),
            static (name, codes, enabled) => new SetCheat(name, Encoding.UTF8.GetBytes(codes), enabled)),
        RequestExample = """{"name":"health","codes":"32010008 0063"}""",
        Run = static async (invocation, cheat) => await KeepAsync(invocation, await invocation.SendAsync(cheat, static reply => new DoneAnswer(reply.Frame, reply.Epoch))),
        ResponseExample = DoneAnswer.Example,
        Statuses = [NotInWindow],
    };

    public static HandlerOperation<ReadOnlySequence<byte>, CheatsAnswer> Load { get; } = new(Resource, "cheats.load", HttpMethods.Post, "/v2/cheats", Access.Write)
    {
        Summary = "Add the cheats of a file",
        Description = "Libretro's, EZ-Flash's or BGB's `.cht`, or mGBA's `.cheats`; up to 4 MB. A cheat of the file replaces the one of its name. The response lists all cheats; those of the file that cannot be used are last, with the `problem`. "
            + "A file without a cheat that can be used changes nothing.",
        Request = Parameters.Of(Parameter.Bytes("file", "The file."), static bytes => bytes ?? default),
        Run = static async (invocation, file) =>
        {
            using (var loaded = await invocation.Emulator.SendAsync(new LoadCheats(file), invocation.Options, invocation.Cancelled))
            {
                if (loaded.Failure is { } failure)
                {
                    return Failure.Of(failure);
                }
            }

            return await KeepAsync(invocation, await invocation.SendAsync(new ListCheats(), Answer));
        },
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","cheats":[{"name":"Weapon: Axe","enabled":false,"codes":["02000100:02"]}]}""",
        Statuses = [NotInWindow],
    };

    public static HandlerOperation<CheatSwitch, DoneAnswer> Enable { get; } = new(Resource, "cheats.enable", HttpMethods.Put, One, Access.Write)
    {
        Summary = "Switch a cheat on or off",
        Description = "What it has written to the ROM is undone when it is switched off; what it has written to memory stays until the game writes it.",
        Request = Parameters.Of(Name, Enabled with { IsRequired = true }, static (name, enabled) => new CheatSwitch(name, enabled)),
        RequestExample = """{"enabled":false}""",
        Run = static (invocation, cheat) => FoundAsync(invocation, new EnableCheat(cheat.Name, cheat.Enabled), cheat.Name, EnableCheat.Parse),
        ResponseExample = DoneAnswer.Example,
        Statuses = [(FailureKind.NoSuchCheat, "there is no such cheat, or it cannot be used."), NotInWindow],
    };

    public static HandlerOperation<string, DoneAnswer> Delete { get; } = new(Resource, "cheats.delete", HttpMethods.Delete, One, Access.Write)
    {
        Summary = "Remove a cheat",
        Request = Parameters.Of(Name),
        Run = static (invocation, name) => FoundAsync(invocation, new DeleteCheat(name), name, DeleteCheat.Parse),
        ResponseExample = DoneAnswer.Example,
        Statuses = [(FailureKind.NoSuchCheat, "there is no such cheat."), NotInWindow],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Set, Load, Enable, Delete];

    private static CheatsAnswer Answer(Reply reply) => new(reply.Frame, reply.Epoch, ListCheats.Parse(reply));

    private static async ValueTask<Result<DoneAnswer>> FoundAsync<TCommand>(Invocation invocation, TCommand command, string name, Func<Reply, bool> parse)
        where TCommand : struct, ICommand<TCommand>
    {
        using var reply = await invocation.Emulator.SendAsync(command, invocation.Options, invocation.Cancelled);
        return reply.Failure is null && !parse(reply)
            ? new Failure(FailureKind.NoSuchCheat, $"There is no cheat {name} that can be used.", new NextStep(List, "lists the cheats"))
            : await KeepAsync(invocation, Result.Of(reply, static reply => new DoneAnswer(reply.Frame, reply.Epoch)));
    }

    // after a restart the emulator has them again
    private static async ValueTask<Result<T>> KeepAsync<T>(Invocation invocation, Result<T> result)
    {
        if (result.Failure is null && invocation.Get<Supervisor>().Find(invocation.Emulator.Id) is { } owned)
        {
            await owned.KeepCheatsAsync(invocation.Cancelled);
        }

        return result;
    }
}
