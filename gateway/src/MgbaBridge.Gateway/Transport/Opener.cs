using System.Buffers;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Transport;

/// <summary>Finds the script and opens a greeted connection to it.</summary>
internal sealed class Opener(EmulatorAddress wanted, TransportSettings settings, Session session, MonotonicClock clock, MemoryPool<byte> memory)
{
    private static readonly TimeSpan LeaveWithin = TimeSpan.FromSeconds(10);

    private readonly Dialer _dialer = new(settings, clock.Time);
    private readonly Handshake _handshake = new(wanted, session, clock);

    /// <summary>What is said when there is no script: the port, or the range.</summary>
    public string Address => wanted.Port is { } port ? $"{wanted.Host}:{port}" : $"{wanted.Host}:{Wire.FirstPort}..{Wire.LastPort}";

    /// <summary>Opens one connection. <paramref name="knownPort"/> is where the script was found before, if it is known to be still there; a
    /// port that was set goes before it, since a tunnel's is not the script's own.</summary>
    public async Task<OpenOutcome> OpenAsync(int? knownPort, ConnectionEvents whileGreeting, CancellationToken cancellationToken) =>
        (wanted.Port ?? knownPort) is { } port
            ? await OpenAtAsync(port, whileGreeting, cancellationToken)
            : await FindAsync(whileGreeting, cancellationToken);

    private async Task<OpenOutcome> OpenAtAsync(int port, ConnectionEvents events, CancellationToken cancellationToken)
    {
        var outcome = await OpenAtAsync(port, legacy: false, events, cancellationToken);
        // on a connection that knows nothing of our hello; one that could not prove itself would not do
        return outcome.Failure?.Code == FailureText.LegacyCode && wanted is { Secret: null, Nonce: null }
            ? await OpenAtAsync(port, legacy: true, events, cancellationToken)
            : outcome;
    }

    private async Task<OpenOutcome> OpenAtAsync(int port, bool legacy, ConnectionEvents events, CancellationToken cancellationToken)
    {
        var (socket, failure) = await _dialer.DialAsync(wanted.Host, port, cancellationToken);
        if (socket is null)
        {
            return OpenOutcome.Failed(failure!);
        }

        var connection = new Connection(socket, $"{wanted.Host}:{port}", session, settings, clock, memory, events);
        connection.Run();
        await using var stop = cancellationToken.UnsafeRegister(static state => ((Connection)state!).Close(FailureText.Stopping()), connection);
        var outcome = legacy ? await _handshake.GreetLegacyAsync(connection, port) : await _handshake.GreetAsync(connection);
        if (outcome.Connection is null)
        {
            await connection.DisposeAsync();
        }

        return outcome;
    }

    /// <summary>Asks on all ports at once and takes the lowest that answers well. Where none answers yet but some accept, it waits for those.</summary>
    private async Task<OpenOutcome> FindAsync(ConnectionEvents events, CancellationToken cancellationToken)
    {
        var enough = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var attempts = Enumerable.Range(Wire.FirstPort, Wire.LastPort - Wire.FirstPort + 1)
            .Select(port => OpenAtAsync(port, events, enough.Token)).ToArray();
        var all = Task.WhenAll(attempts);
        await Task.WhenAny(all, Task.Delay(settings.Now.SilentAfter * 2, clock.Time, cancellationToken));
        while (!all.IsCompleted && !attempts.Any(attempt => attempt is { IsCompletedSuccessfully: true, Result.Connection: not null }))
        {
            await Task.WhenAny(attempts.Where(attempt => !attempt.IsCompleted));
        }

        var winner = attempts.FirstOrDefault(attempt => attempt is { IsCompletedSuccessfully: true, Result.Hello.Legacy: false })
            ?? attempts.FirstOrDefault(attempt => attempt is { IsCompletedSuccessfully: true, Result.Connection: not null });
        _ = LeaveOthersAsync(attempts, winner, enough);
        return winner is not null ? await winner : OpenOutcome.Failed(await WorstAsync(attempts));
    }

    // a script that has read our hello should get its answer out before the connection goes
    private async Task LeaveOthersAsync(Task<OpenOutcome>[] attempts, Task<OpenOutcome>? winner, CancellationTokenSource enough)
    {
        using (enough)
        {
            var others = attempts.Where(attempt => attempt != winner).ToArray();
            await Task.WhenAny(Task.WhenAll(others), Task.Delay(LeaveWithin, clock.Time));
            await enough.CancelAsync();
            foreach (var outcome in await Task.WhenAll(others))
            {
                if (outcome.Connection is { } connection)
                {
                    await connection.DisposeAsync();
                }
            }
        }
    }

    private async Task<FailureReport> WorstAsync(Task<OpenOutcome>[] attempts)
    {
        // a port where something else answers says more than those where nothing does
        var failures = (await Task.WhenAll(attempts)).Select(outcome => outcome.Failure).OfType<FailureReport>().ToArray();
        return failures.FirstOrDefault(failure => failure.Failure != Failure.ConnectFailed)
            ?? FailureText.ConnectFailed(Address, "no port of the range is open.");
    }
}
