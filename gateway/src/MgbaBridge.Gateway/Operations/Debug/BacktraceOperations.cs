using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>The functions that are under way.</summary>
internal static class BacktraceOperations
{
    private const long UsualCount = 16;

    private static readonly Resource Resource = new("Debugging", BacktraceJson.Default);

    /// <summary>How many functions.</summary>
    public static Parameter<long> Count { get; } = Parameter.Integer("count", Limits.MinReturns, (long)Limits.Returns, "How many functions at most.").Or(UsualCount) with { IsArgument = true };

    public static HandlerOperation<long, BacktraceAnswer> Get { get; } = new(Resource, "debug.backtrace", HttpMethods.Get, "/v2/debug/backtrace", Access.Read)
    {
        Summary = "The functions that are under way",
        Description = "The innermost first. What is `exact` is where the processor is. What is `matched` is an address on the stack, or in the link register, behind an instruction that calls the function before: certain unless an "
            + "older call has left the same address behind. What is a `guess` is the next address behind any instruction that calls: the function before has no symbol, or was called by an address or jumped to. "
            + "Behind a guess, functions may be missing, and some may have returned already.",
        Request = Parameters.Of(Count),
        Run = RunAsync,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","functions":[{"address":"0x080001F4","symbol":"update+0x8","from":"pc","certainty":"exact"},{"address":"0x08000128","symbol":"main+0x28","from":"stack","certainty":"matched","call":"0x08000124","place":"0x03007EFC"}]}""",
        Statuses = [DebugOperations.NotInWindow],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get];

    private static async ValueTask<Result<BacktraceAnswer>> RunAsync(Invocation invocation, long count)
    {
        var (game, unread) = await DebuggedGame.ReadAsync(invocation);
        if (game is null)
        {
            return unread!;
        }

        return await invocation.SendAsync(new ReadCallStack(Limits.Returns), reply =>
        {
            var nameOf = game.NamesIn(reply.Epoch);
            var frames = CallStack.Of(ReadCallStack.Parse(reply), nameOf);
            return new BacktraceAnswer(reply.Frame, reply.Epoch, [.. frames.Take((int)count).Select(frame => AnswerOf(frame, game.Game.IsGameBoy, nameOf))]);
        });
    }

    private static FunctionAnswer AnswerOf(in CallStackFrame frame, bool isGameBoy, Func<long, long?, string?> nameOf) => new(
        Hex.Of(frame.Entry.Address),
        isGameBoy ? frame.Entry.Bank : null,
        nameOf(frame.Entry.Call ?? frame.Entry.Address, frame.Entry.CallBank ?? frame.Entry.Bank), // a call that never returns may be the last instruction of its function
        frame.Entry.From,
        frame.Certainty.ToString().ToLowerInvariant(),
        frame.Entry.Call is { } call ? Hex.Of(call) : null,
        frame.Entry.Place is { } place ? Hex.Of(place) : null);
}
