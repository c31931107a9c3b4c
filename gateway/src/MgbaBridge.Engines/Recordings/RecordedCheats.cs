using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Recordings;

/// <summary>The cheats of a recording: read from an emulator when it begins, and applied to one for a replay.</summary>
internal static class RecordedCheats
{
    /// <summary>The cheats that an emulator applies; none where the emulator has no cheats.</summary>
    public static async Task<(IReadOnlyList<RecordedCheat> Cheats, CommandFailure? Failure)> ReadAsync(EmulatorClient emulator, RequestOptions options, CancellationToken cancellationToken)
    {
        using var listed = await emulator.SendAsync(new ListCheats(), options, cancellationToken);
        return listed.Failure is { } failure
            ? ([], failure.Code is ErrorCode.Unsupported or ErrorCode.UnknownCommand ? null : failure)
            : ([.. ListCheats.Parse(listed).Where(static cheat => cheat.Enabled && cheat.Problem is null).Select(static cheat => new RecordedCheat(cheat.Name, cheat.Codes))], null);
    }

    /// <summary>Makes an emulator apply these cheats and no others.</summary>
    public static async Task<CommandFailure?> ApplyAsync(EmulatorClient emulator, IReadOnlyList<RecordedCheat> cheats, RequestOptions options, CancellationToken cancellationToken)
    {
        var (now, failure) = await ReadAsync(emulator, options, cancellationToken);
        if (failure is not null)
        {
            return failure;
        }

        foreach (var other in now.Where(cheat => !cheats.Any(wanted => IsSame(wanted, cheat))))
        {
            using var off = await emulator.SendAsync(new EnableCheat(other.Name, false), options, cancellationToken);
            if (off.Failure is not null)
            {
                return off.Failure;
            }
        }

        foreach (var cheat in cheats.Where(cheat => !now.Any(applied => IsSame(applied, cheat))))
        {
            using var set = await emulator.SendAsync(new SetCheat(cheat.Name, Encoding.UTF8.GetBytes(string.Join('\n', cheat.Codes))), options, cancellationToken);
            if (set.Failure is not null)
            {
                return set.Failure;
            }
        }

        return null;
    }

    /// <summary>Whether they are the same cheats in the same order.</summary>
    public static bool AreSame(IReadOnlyList<RecordedCheat> some, IReadOnlyList<RecordedCheat> others) => some.Count == others.Count && some.Zip(others, IsSame).All(static same => same);

    private static bool IsSame(RecordedCheat one, RecordedCheat other) => one.Name == other.Name && one.Codes.SequenceEqual(other.Codes);
}
