using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Operations.Waits;

/// <summary>A condition whose places are found in the open game: names, values behind pointers, big-endian numbers.</summary>
/// <param name="condition">The condition.</param>
/// <param name="game">The open game.</param>
/// <param name="found">Its places, in their order.</param>
internal sealed class NamedCondition(Condition condition, GameContext game, IReadOnlyList<(GameProperty Property, Location At)> found)
{
    private static readonly TimeSpan PerFrame = TimeSpan.FromSeconds(10);

    /// <summary>Waits for a condition with names: in the script, or by reading where the script cannot follow.</summary>
    public static ValueTask<Result<WaitAnswer>> WaitAsync(Invocation invocation, Condition condition, WaitRequest request) => GameContext.WithAsync(invocation, game =>
    {
        var (named, failure) = Find(game, condition);
        if (named is null)
        {
            return ValueTask.FromResult<Result<WaitAnswer>>(failure!);
        }

        if (named.InMemory() is { } tests)
        {
            var sameGame = invocation with { Options = invocation.Options with { Epoch = game.Epoch } };
            return sameGame.SendAsync(new Wait(tests, request.Frames), WaitAnswer.Of, request.MaxWait);
        }

        var time = invocation.Get<TimeProvider>();
        var began = time.GetTimestamp();
        return named.PollAsync(invocation, request.Frames, async () =>
        {
            using var reply = await invocation.Emulator.SendAsync(Wait.ForFrames(1), invocation.Options with { Timeout = PerFrame, IsOwnWait = true }, invocation.Cancelled);
            return reply.Failure is { } failure ? Failure.Of(failure)
                : time.GetElapsedTime(began) > invocation.Emulator.AtPace(request.MaxWait) ? Failure.Of(new CommandFailure(CommandFailureKind.ReplyTimedOut, $"The condition did not hold within {request.MaxWait:c}."))
                : null;
        });
    });

    /// <summary>Waits for a condition while the caller lets the frames pass.</summary>
    /// <param name="invocation">The caller.</param>
    /// <param name="condition">The condition.</param>
    /// <param name="frames">After how many frames to stop waiting.</param>
    /// <param name="advance">Lets a frame pass. Returns why it cannot, or null.</param>
    public static ValueTask<Result<WaitAnswer>> WaitAsync(Invocation invocation, Condition condition, long frames, Func<ValueTask<Failure?>> advance) => GameContext.WithAsync(invocation, game =>
    {
        var (named, failure) = Find(game, condition);
        return named?.PollAsync(invocation, frames, advance) ?? ValueTask.FromResult<Result<WaitAnswer>>(failure!);
    });

    // what the script can check: numbers in memory compared with numbers; null when a place is behind a pointer, or big-endian
    private IReadOnlyList<IReadOnlyList<MemoryTest>>? InMemory()
    {
        var next = 0;
        return condition.InMemory(
            _ => found[next++] is ({ Chain.Count: 0, Type: ScalarType { Endian: Endian.Little } number }, var at) ? (at, number.Type) : null,
            _ => found[next++].Property.Type is ConstantType constant ? constant.Value : null);
    }

    // reads the places in each frame
    private async ValueTask<Result<WaitAnswer>> PollAsync(Invocation invocation, long? frames, Func<ValueTask<Failure?>> advance)
    {
        (long Frame, long[] Numbers)? first = null;
        while (true)
        {
            var (values, failure) = await ValueOperations.FindAsync(invocation, game, found);
            if (values is null)
            {
                return failure!;
            }

            long[] now = [.. values.Values.Select(NumberPlaces.NumberOf)];
            var (began, before) = first ??= (values.Frame, now);
            var isMet = condition.Holds(now, before);
            if (isMet || values.Frame - began >= frames)
            {
                return Result.At(new WaitAnswer(values.Frame, values.Epoch, isMet, [.. now.Where((_, index) => found[index].Property.Type is not ConstantType)]), values.Frame, values.Epoch);
            }

            if (await advance() is { } failed)
            {
                return failed;
            }
        }
    }

    private static (NamedCondition? Condition, Failure? Failure) Find(GameContext game, Condition condition) =>
        NumberPlaces.Find(game.Names, condition, out var found) is { } wrong ? (null, Failure.BadRequest($"{wrong} {Condition.ExpectedFormat}"))
        : found.All(static one => one.Property.Type is ConstantType) ? (null, Failure.BadRequest("The condition compares constants only, which never change. Compare a place in memory."))
        : (new NamedCondition(condition, game, found), null);
}
