using System.Buffers;
using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Transport;

/// <summary>Finds the script, connects to it, and performs the handshake.</summary>
internal sealed class ConnectionOpener(
    EmulatorAddress wanted, TransportSettings settings, Session session, MonotonicClock clock, MemoryPool<byte> memory, OtherPrograms others)
{
    private static readonly TimeSpan CloseOthersAfter = TimeSpan.FromSeconds(10);

    private readonly SocketConnector _connector = new(settings, clock.Time);
    private readonly Handshake _handshake = new(wanted, session, clock);

    /// <summary>The address in messages: the host and the port or the port range.</summary>
    public string Address => wanted.Port is { } port ? $"{wanted.Host}:{port}" : $"{wanted.Host}:{settings.Now.ScriptPortsText}";

    /// <summary>Opens one connection. <paramref name="knownPort"/> is the port on which the script was found before. A configured port takes
    /// precedence, since that of a tunnel differs from the script's own.</summary>
    public async Task<OpenOutcome> OpenAsync(int? knownPort, ConnectionEvents duringHandshake, CancellationToken cancellationToken)
    {
        var attempt = others.Begin();
        var outcome = (wanted.Port ?? knownPort) is { } port
            ? await OpenAtAsync(port, attempt, duringHandshake, cancellationToken)
            : await FindAsync(attempt, duringHandshake, cancellationToken);
        return wanted.IsRestarted && outcome.Failure?.Kind == CommandFailureKind.ConnectFailed && !cancellationToken.IsCancellationRequested
            ? OpenOutcome.Failed(FailureText.IsRestarted(Address))
            : outcome;
    }

    /// <summary>Opens a connection to a port. A program that is not the script is greeted once, not at each attempt.</summary>
    private async Task<OpenOutcome> OpenAtAsync(int port, OtherPrograms.Attempt attempt, ConnectionEvents events, CancellationToken cancellationToken)
    {
        if (attempt.Known(wanted, port) is { } known)
        {
            return OpenOutcome.Failed(known);
        }

        var outcome = await ConnectAsync(port, events, cancellationToken);
        attempt.Greeted(wanted, port, outcome.Failure);
        return outcome;
    }

    private async Task<OpenOutcome> ConnectAsync(int port, ConnectionEvents events, CancellationToken cancellationToken)
    {
        var (socket, failure) = await _connector.ConnectAsync(wanted.Host, port, cancellationToken);
        if (socket is null)
        {
            return OpenOutcome.Failed(failure!);
        }

        var connection = new Connection(socket, $"{wanted.Host}:{port}", session, settings, clock, memory, events);
        connection.Run();
        await using var stop = cancellationToken.UnsafeRegister(static state => ((Connection)state!).Close(FailureText.Stopping()), connection);
        var outcome = await _handshake.PerformAsync(connection);
        if (outcome.Connection is null)
        {
            await connection.DisposeAsync();
        }

        return outcome;
    }

    /// <summary>Tries all ports at once and takes the lowest with a successful handshake. If none has succeeded but some accepted, it waits for those.</summary>
    private async Task<OpenOutcome> FindAsync(OtherPrograms.Attempt attempt, ConnectionEvents events, CancellationToken cancellationToken)
    {
        var enough = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var attempts = settings.Now.ScriptPorts.Select(port => OpenAtAsync(port, attempt, events, enough.Token)).ToArray();
        var all = Task.WhenAll(attempts);
        await Task.WhenAny(all, Task.Delay(settings.Now.SilenceTimeout * 2, clock.Time, cancellationToken));
        while (!all.IsCompleted && !attempts.Any(opening => opening is { IsCompletedSuccessfully: true, Result.Connection: not null }))
        {
            // the last attempt may have just ended: then there is only the task of all to wait for
            await Task.WhenAny([all, .. attempts.Where(opening => !opening.IsCompleted)]);
        }

        var winner = attempts.FirstOrDefault(opening => opening is { IsCompletedSuccessfully: true, Result.Connection: not null });
        _ = CloseOthersAsync(attempts, winner, enough);
        return winner is not null ? await winner : OpenOutcome.Failed(await MostInformativeAsync(attempts));
    }

    // a script that has read the hello should send its reply before the connection closes
    private async Task CloseOthersAsync(Task<OpenOutcome>[] attempts, Task<OpenOutcome>? winner, CancellationTokenSource enough)
    {
        using (enough)
        {
            var others = attempts.Where(attempt => attempt != winner).ToArray();
            await Task.WhenAny(Task.WhenAll(others), Task.Delay(CloseOthersAfter, clock.Time));
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

    private async Task<CommandFailure> MostInformativeAsync(Task<OpenOutcome>[] attempts)
    {
        // a failure of a port that accepts connections is more informative than refused ones
        var failures = (await Task.WhenAll(attempts)).Select(outcome => outcome.Failure).OfType<CommandFailure>().ToArray();
        return failures.FirstOrDefault(failure => failure.Kind != CommandFailureKind.ConnectFailed)
            ?? FailureText.ConnectFailed(Address, "no port of the range is open.");
    }
}

/// <summary>The outcome of an attempt to open a connection.</summary>
internal sealed record OpenOutcome(Connection? Connection, HelloReply? Hello, CommandFailure? Failure)
{
    public static OpenOutcome Failed(CommandFailure failure) => new(null, null, failure);
}

/// <summary>Opens TCP connections.</summary>
internal sealed class SocketConnector(TransportSettings settings, TimeProvider time)
{
    private const int KeepAliveSeconds = 15;

    /// <summary>Connects, or returns the failure.</summary>
    public async Task<(Socket? Socket, CommandFailure? Failure)> ConnectAsync(string host, int port, CancellationToken cancellationToken)
    {
        var address = $"{host}:{port}";
        var limit = settings.Now.ConnectTimeout;
        using var timeout = new CancellationTokenSource(limit, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        var socket = NewSocket(host, out var endPoint, port);
        try
        {
            await socket.ConnectAsync(endPoint, either.Token);
            return (socket, null);
        }
        catch (OperationCanceledException)
        {
            socket.Dispose();
            return (null, cancellationToken.IsCancellationRequested ? FailureText.Stopping() : FailureText.ConnectTimedOut(address, limit));
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            return (null, FailureText.ConnectFailed(address, exception.Message + "."));
        }
    }

    private static Socket NewSocket(string host, out EndPoint endPoint, int port)
    {
        var numeric = IPAddress.TryParse(host, out var ip);
        endPoint = numeric ? new IPEndPoint(ip!, port) : new DnsEndPoint(host, port);
        var socket = numeric
            ? new Socket(ip!.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
            : new Socket(SocketType.Stream, ProtocolType.Tcp);
        socket.NoDelay = true;
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, KeepAliveSeconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, KeepAliveSeconds);
        return socket;
    }
}

/// <summary>Repeats attempts to connect with exponential back-off and jitter, and reports when callers should no longer wait.</summary>
/// <param name="options">The settings at the start.</param>
/// <param name="time">The clock.</param>
/// <param name="failedRepeatedly">Called when <see cref="AttemptsBeforeReport"/> attempts in a row have failed, and at each further failure.</param>
internal sealed class ConnectBackOff(TransportOptions options, TimeProvider time, Action failedRepeatedly)
{
    private const int AttemptsBeforeReport = 3;
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(20);

    private readonly Lock _gate = new();
    private CancellationTokenSource? _pause;

    /// <summary>Repeats the attempt until a connection is open.</summary>
    public async ValueTask<OpenOutcome> OpenAsync(Func<CancellationToken, ValueTask<OpenOutcome>> attempt, CancellationToken cancellationToken)
    {
        var failed = 0;
        while (true)
        {
            // from before the attempt on: EndPause during an attempt ends the pause after it
            using var pause = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            SetPause(pause);
            try
            {
                var outcome = await attempt(cancellationToken);
                if (outcome.Failure is null)
                {
                    return outcome;
                }

                // after EndPause this failure is out of date, and the next attempt is made at once
                failed = pause.IsCancellationRequested ? 0 : failed + 1;
                if (failed >= AttemptsBeforeReport)
                {
                    failedRepeatedly();
                }

                await Task.Delay(PauseAfter(failed), time, pause.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                cancellationToken.ThrowIfCancellationRequested();
            }
            finally
            {
                SetPause(null);
            }

            failed = pause.IsCancellationRequested ? 0 : failed;
        }
    }

    /// <summary>Ends the present pause: something is known to listen now. While nothing is to be opened it does nothing.</summary>
    public void EndPause()
    {
        lock (_gate)
        {
            _ = _pause?.CancelAsync();
        }
    }

    /// <summary>Whether the failure is permanent: another attempt fails, too, until a person changes something.</summary>
    public static bool IsPermanent(CommandFailure failure) =>
        failure.Kind is CommandFailureKind.NotOurs or CommandFailureKind.WrongVersion or CommandFailureKind.Rejected;

    // between half of the doubled pause and all of it, so that the attempts for many scripts do not coincide
    private TimeSpan PauseAfter(int failed)
    {
        var doubled = FirstPause * Math.Pow(2, Math.Min(failed - 1, 20));
        return (doubled < options.MaxConnectDelay ? doubled : options.MaxConnectDelay) * (0.5 + (Random.Shared.NextDouble() / 2));
    }

    private void SetPause(CancellationTokenSource? pause)
    {
        lock (_gate)
        {
            _pause = pause;
        }
    }
}
