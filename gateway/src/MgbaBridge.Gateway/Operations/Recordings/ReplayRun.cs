using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations.Keys;

namespace MgbaBridge.Gateway.Operations.Recordings;

/// <summary>Replays a recording, if the emulator is ready for it.</summary>
internal static class ReplayRun
{
    /// <summary>Replays it.</summary>
    public static async ValueTask<Result<ReplayAnswer>> RunAsync(Invocation invocation, ReadOnlySequence<byte> file)
    {
        if (RecordedGame.Parse(file, out var wrong) is not { } recorded)
        {
            return Failure.BadRequest(wrong);
        }

        if (await ObstacleAsync(invocation, recorded) is { } obstacle)
        {
            return obstacle;
        }

        var outcome = await Engines.Recordings.Replay.RunAsync(invocation.Emulator, recorded, invocation.Cancelled);
        if (outcome.Failure is { } failure)
        {
            return Failure.Of(failure);
        }

        var divergence = outcome.Divergence is { } found ? await DescribeAsync(invocation, recorded, found) : null;
        return new Result<ReplayAnswer>(
            new ReplayAnswer(outcome.Frame, outcome.Epoch, divergence is null, outcome.Frames, outcome.Inputs, outcome.Hashes, divergence), null).At(outcome.Frame, outcome.Epoch);
    }

    private static async ValueTask<Divergence> DescribeAsync(Invocation invocation, RecordedGame recorded, ReplayDivergence found)
    {
        var names = invocation.Get<SymbolStore>().Of((uint)recorded.Header.Crc32);
        return new Divergence(
            found.Line.Frame, found.After, found.Line.Hash!, found.Found, await DifferentBytes.ListAsync(recorded, found, names, invocation.Emulator, invocation.Options, invocation.Cancelled));
    }

    private static async ValueTask<Failure?> ObstacleAsync(Invocation invocation, RecordedGame recorded)
    {
        using var game = await invocation.Emulator.SendAsync(new ReadGame(), default, invocation.Cancelled);
        using var keys = await invocation.Emulator.SendAsync(new ReadKeys(), default, invocation.Cancelled);
        using var freezes = await invocation.Emulator.SendAsync(new ListFreezes(), default, invocation.Cancelled);
        var (frozen, unknown) = ListFreezes.Obstacle(freezes);
        if ((game.Failure ?? keys.Failure ?? unknown) is { } failure)
        {
            return Failure.Of(failure);
        }

        var (here, down) = (ReadGame.Parse(game), ReadKeys.ParseDown(keys));
        return here.Crc32 != recorded.Header.Crc32
                ? new Failure(FailureKind.OtherGame, $"This is {here.Title} ({Hex.Of(here.Crc32)}); the recording is of {recorded.Header.Title} ({Hex.Of(recorded.Header.Crc32)}).")
            : frozen is not null ? RecordingOperations.FrozenFailure(frozen)
            : down.Count > 0 ? new Failure(FailureKind.KeysHeld, $"{down} is down and would be in the replay.", new NextStep(KeyOperations.Get, "lists the holders"))
            : null;
    }
}
