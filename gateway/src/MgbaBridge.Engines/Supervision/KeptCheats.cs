using System.Buffers;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Supervision;

/// <summary>The cheats that callers have changed, which an emulator has again after it was restarted.</summary>
internal sealed class KeptCheats(EmulatorClient client) : IDisposable
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private (long Crc32, IReadOnlyList<Cheat> Cheats)? _kept;

    /// <summary>Keeps those that the game has now.</summary>
    public async Task KeepAsync(CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken);
        try
        {
            _kept = await ReadAsync(cancellationToken) is { Failure: null } now ? (now.Crc32, now.Cheats) : _kept;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Gives them to the emulator, in their order, and no others, if it runs the same game. Returns why that is not possible, or null.</summary>
    public async Task<CommandFailure?> RestoreAsync(CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken);
        try
        {
            if (_kept is not { } kept)
            {
                return null;
            }

            var now = await ReadAsync(cancellationToken);
            if (now.Failure is not null || now.Crc32 != kept.Crc32)
            {
                return now.Failure;
            }

            var names = kept.Cheats.Select(static cheat => cheat.Name).ToHashSet(StringComparer.Ordinal);
            foreach (var other in now.Cheats.Where(cheat => !names.Contains(cheat.Name)))
            {
                using var deleted = await client.SendAsync(new DeleteCheat(other.Name), default, cancellationToken);
                if (deleted.Failure is not null)
                {
                    return deleted.Failure;
                }
            }

            if (kept.Cheats.Count == 0)
            {
                return null;
            }

            using var loaded = await client.SendAsync(new LoadCheats(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(FileOf(kept.Cheats)))), default, cancellationToken);
            return loaded.Failure;
        }
        finally
        {
            _gate.Release();
        }
    }

    public void Dispose() => _gate.Dispose();

    private async Task<(long Crc32, IReadOnlyList<Cheat> Cheats, CommandFailure? Failure)> ReadAsync(CancellationToken cancellationToken)
    {
        using var game = await client.SendAsync(new ReadGame(), default, cancellationToken);
        using var listed = await client.SendAsync(new ListCheats(), default, cancellationToken);
        return (game.Failure ?? listed.Failure) is { } failure ? (0, [], failure)
            : (ReadGame.Parse(game).Crc32, [.. ListCheats.Parse(listed).Where(static cheat => cheat.Problem is null)], null);
    }

    // mGBA's own format: what says how the codes are encrypted is before the name
    private static string FileOf(IEnumerable<Cheat> cheats)
    {
        var text = new StringBuilder();
        foreach (var cheat in cheats)
        {
            var directives = cheat.Codes.TakeWhile(static line => line.StartsWith('!')).ToArray();
            string[] lines = [.. cheat.Enabled ? Array.Empty<string>() : ["!disabled"], .. directives, $"# {cheat.Name}", .. cheat.Codes.Skip(directives.Length)];
            text.AppendJoin('\n', lines).Append('\n');
        }

        return text.ToString();
    }
}
