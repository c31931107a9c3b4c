using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>What a game did: back in it, forward again, and who wrote to a place.</summary>
internal static class HistoryOperations
{
    /// <summary>How much memory a history may take, unless given.</summary>
    public const long UsualMegabytes = 256;

    /// <summary>How long a search may take.</summary>
    internal static readonly TimeSpan LongestSearch = TimeSpan.FromMinutes(10);

    private static readonly Resource Resource = new("Debugging", HistoryJson.Default);
    internal static readonly StatusNote NoHistory = (ErrorCode.NotRunning, "no history is kept; `debug.keepHistory` begins one.");

    public static CommandOperation<ReadHistory, HistoryAnswer> Get { get; } = new(Resource, "debug.history", HttpMethods.Get, "/v2/debug/history", Access.Read)
    {
        Summary = "What is kept of the history of the game",
        Request = Parameters.Always(new ReadHistory()),
        Read = static (_, reply) => AnswerOf(ReadHistory.Parse(reply), reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","megabytes":256,"bytes":9437184,"first":311,"at":4711,"inPast":false}""",
        Statuses = [DebugOperations.NotInWindow],
    };

    public static CommandOperation<KeepHistory, HistoryAnswer> Keep { get; } = new(Resource, "debug.keepHistory", HttpMethods.Put, "/v2/debug/history", Access.Write)
    {
        Summary = "Keep what the game does, to go back in it",
        Description = "The oldest is dropped when it would take more memory. What is kept already remains when the memory is changed. Games that are opened later have a history, too. `problem` says why none is kept, and what to do.",
        Request = Parameters.Of(
            Parameter.Integer("megabytes", 0, (long)Limits.HistoryMegabytes, "How much memory it may take; 0 ends and drops it.").Or(UsualMegabytes) with { IsArgument = true },
            static megabytes => new KeepHistory(megabytes)),
        RequestExample = """{"megabytes":256}""",
        Read = static (_, reply) => AnswerOf(KeepHistory.Parse(reply), reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","megabytes":256,"bytes":0,"first":4711,"at":4711,"inPast":false}""",
        Statuses = [DebugOperations.NotInWindow],
    };

    public static HandlerOperation<BackRequest, DebuggerAnswer> Back { get; } = new(Resource, "debug.back", HttpMethods.Post, "/v2/debug/back", Access.Write)
    {
        Summary = "Go back in what the game did",
        Description = "The game has to be halted, and is halted again where it has gone to; `reason` is `history` where its history begins. In the past, `debug.step` and `debug.continue` repeat what happened, "
            + "with the keys and writes of then, and lead on into the present. A write, a state or a reset in the past ends the history there: what came behind it is gone.",
        Request = Parameters.Of(
            Parameter.Choice<BackKind>("kind", "`step`: so many instructions; `point`: to where a breakpoint or watchpoint would have halted the game last; `frame`: to the beginning of its frame, or of so many before.").Or(BackKind.Step) with { IsArgument = true },
            Parameter.Integer("count", Limits.MinBackCount, (long)Limits.BackCount, "How many instructions or frames.").Or(1),
            DebugOperations.Seconds,
            static (kind, count, seconds) => new BackRequest(kind, count, seconds)),
        RequestExample = """{"kind":"point"}""",
        Run = static (invocation, request) => DebugOperations.DescribeAsync(
            ForSearch(invocation),
            new GoBack(request.Kind.ToString().ToLowerInvariant(), request.Count, DebugOperations.HaltSeconds(invocation, request.Seconds)),
            GoBack.Parse,
            LongestSearch),
        TakesFrames = true,
        Holds = Held.Points,
        ResponseExample = DebuggerAnswer.Example,
        Statuses = [NoHistory, DebugOperations.NotInWindow],
    };

    public static HandlerOperation<WritersRequest, WritersAnswer> Writers { get; } = new(Resource, "debug.writers", HttpMethods.Get, "/v2/debug/writers", Access.Read)
    {
        Summary = "Who wrote to a place last",
        Description = "Writes of another value since the history began, by instructions of the game, by DMA, or from outside. The game runs on meanwhile. Of RAM, video memory, registers and save memory.",
        Request = Parameters.Of(
            Parameter.Text("location", "Where: an address (`0x02000008`), an offset in a domain (`wram:0x8`), or the name of a property or symbol.") with { IsArgument = true, Example = "0x02000008" },
            Parameter.Integer("length", Limits.MinWriterLength, (long)Limits.WriterLength, "How many bytes; those of the symbol or property, or 1, unless given.").Optional(),
            Parameter.Integer("bank", 0, (long)Limits.Bank, "The bank of the address on a Game Boy; the one that is mapped now, unless given.").Optional(),
            Parameter.Integer("count", Limits.MinWriterCount, (long)Limits.WriterCount, "How many writes.").Or(1),
            static (location, length, bank, count) => new WritersRequest(location, length, bank, count)),
        Run = FindAsync,
        TakesFrames = true,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","writers":[{"by":"game","frame":4102,"pc":"0x080001F0","symbol":"update+0x4","address":"0x02000008","name":"score","size":4,"before":10,"value":0}]}""",
        Statuses = [(FailureKind.NoSuchName, "the game has no property and no symbol of this name."), NoHistory, DebugOperations.NotInWindow],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Keep, Back, Writers];

    /// <summary>For a search, which takes minutes: an emulator on a busy machine is silent now and then.</summary>
    internal static Invocation ForSearch(Invocation invocation) => invocation with { Options = invocation.Options with { OutlastsSilence = true } };

    private static async ValueTask<Result<WritersAnswer>> FindAsync(Invocation invocation, WritersRequest request)
    {
        var (game, unread) = await DebuggedGame.ReadAsync(invocation);
        if (game is null)
        {
            return unread!;
        }

        var (place, unknown) = await game.FindAsync(invocation, request.Location, request.Length);
        if (place is not { } at)
        {
            return unknown!;
        }

        var command = new FindWriters(at.At.Address, at.Bytes, request.Bank ?? at.At.Bank, request.Count);
        return await ForSearch(invocation).SendAsync(
            command,
            reply =>
            {
                var nameOf = game.NamesIn(reply.Epoch);
                return new WritersAnswer(reply.Frame, reply.Epoch, [.. FindWriters.Parse(reply).Select(writer => AnswerOf(writer, game.Game.IsGameBoy, nameOf))]);
            },
            LongestSearch);
    }

    private static HistoryAnswer AnswerOf(in GameHistory history, Reply reply) =>
        new(reply.Frame, reply.Epoch, history.Megabytes, history.Bytes, history.First, history.At, history.InPast, history.Problem);

    private static WriterAnswer AnswerOf(in MemoryWriter writer, bool isGameBoy, Func<long, long?, string?> nameOf)
    {
        var isGame = writer.By == "game";
        return new WriterAnswer(
            writer.By,
            writer.Frame,
            isGame ? Hex.Of(writer.Pc) : null,
            isGame && isGameBoy ? writer.Bank : null,
            isGame ? nameOf(writer.Pc, writer.Bank) : null,
            Hex.Of(writer.Address),
            nameOf(writer.Address, null),
            writer.Size,
            writer.Before,
            writer.Value);
    }
}
