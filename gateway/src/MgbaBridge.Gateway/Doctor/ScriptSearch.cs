using System.Buffers;
using System.Globalization;
using System.Net.Sockets;
using System.Net;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Doctor;

/// <summary>Finds the scripts at one address of the settings and checks each.</summary>
/// <param name="address">The address; its nonce is not checked.</param>
/// <param name="nonces">The nonces that scripts there are expected to have.</param>
/// <param name="options">The settings of connections.</param>
/// <param name="check">The checks of one script.</param>
internal sealed class ScriptSearch(EmulatorAddress address, IEnumerable<string> nonces, TransportOptions options, ScriptCheck check)
{
    /// <summary>The name of this check.</summary>
    public const string Check = "script";

    /// <summary>What to do where the script is missing or another one.</summary>
    public const string Load = "Load the script in a window of mGBA; this command writes it and explains how";

    /// <summary>The command that writes the script.</summary>
    public static string WriteScript => TypedProgram.Command("script");

    // a script replies within a frame; longer waits are for busy machines
    private static readonly TimeSpan HelloTimeout = TimeSpan.FromSeconds(3);

    /// <summary>Performs the search and the checks.</summary>
    public async Task<ScriptSearchResult> RunAsync(CancellationToken cancellationToken)
    {
        int[] ports = address.Port is { } port ? [port] : [.. options.ScriptPorts];
        var connected = await Task.WhenAll(ports.Select(port => ConnectAsync(port, cancellationToken)));
        int[] open = [.. connected.Where(attempt => attempt.Failure is null).Select(attempt => attempt.Port)];
        if (open.Length == 0)
        {
            var failure = connected.Select(attempt => attempt.Failure).OfType<SocketError>().FirstOrDefault(failure => failure != SocketError.ConnectionRefused);
            return new ScriptSearchResult(IsFound: false, IsSilent: false, HasOther: false, [NothingListens(failure)]);
        }

        var results = await Task.WhenAll(open.Select(port => CheckAsync(port, cancellationToken)));
        var scripts = results.Where(result => result.IsScript).ToArray();
        var hasOther = scripts.Length == 0 && results.Any(result => IsOtherScript(result.Health));
        var findings = new List<Finding>();
        if (scripts.Length == 0 && !hasOther)
        {
            findings.Add(Finding.Problem(Check, $"no script answers at {Place}.", Load).By(WriteScript));
        }
        else if (scripts.Length > 1)
        {
            findings.Add(Finding.Ok(Check, string.Create(CultureInfo.InvariantCulture, $"{scripts.Length} scripts answer at {Place}.")));
        }

        findings.AddRange(nonces.Where(nonce => scripts.All(script => script.Health.Hello?.Nonce != nonce)).Select(nonce => Finding.Problem(
            Check, $"no script at {Place} has the nonce {nonce} of the settings.", "Start mGBA with MGBA_BRIDGE_NONCE, or remove Bridge:Emulators:n:Nonce (--nonce).")));

        // other programs within the range do no harm beside a script; another script, alone, is in its place
        findings.AddRange(results.SelectMany(result => result.Findings.Select(finding =>
            !result.IsScript && address.Port is null && !(hasOther && IsOtherScript(result.Health)) ? finding with { Level = FindingLevel.Warning } : finding)));
        return new ScriptSearchResult(
            scripts.Any(script => script.Health.State != EmulatorState.Silent), scripts.Any(script => script.Health.State == EmulatorState.Silent), hasOther, findings);
    }

    /// <summary>Whether it is a script of mGBA, as mGBA-http's is, but not this project's.</summary>
    public static bool IsOtherScript(EmulatorHealth health) => health is { State: EmulatorState.OtherProgram, Failure: ErrorCode.OtherScript };

    /// <summary>What it means that no port accepts a connection.</summary>
    public Finding NothingListens(SocketError failure) => failure switch
    {
        SocketError.TimedOut when IsRemote(address.Host) => Finding.Problem(
            Check, $"{Place} does not answer: a firewall discards the connections, or the host is wrong.",
            $"Allow TCP port {Ports} on {address.Host}, or use an SSH tunnel (docs/operating.md)."),
        SocketError.TimedOut => Finding.Problem(Check, $"{Place} does not accept connections in time: the program that listens is busy or stopped.", "Look at mGBA; restart it if it does not react."),
        SocketError.HostNotFound or SocketError.TryAgain or SocketError.NoData => Finding.Problem(
            Check, $"the host {address.Host} is not known.", "Correct Bridge:Emulators:n:Host (--emulator-host)."),
        SocketError.Success when IsRemote(address.Host) => Finding.Problem(
            Check, $"no script listens at {Place}; to accept connections from other machines it needs MGBA_BRIDGE_BIND (docs/settings.md).", Load).By(WriteScript),
        SocketError.Success => Finding.Problem(Check, $"no script listens at {Place}.", Load).By(WriteScript),
        _ => Finding.Problem(Check, $"{Place} cannot be reached ({failure}).", "Check the network and Bridge:Emulators:n:Host (--emulator-host)."),
    };

    private string Ports => address.Port is { } port ? port.ToString(CultureInfo.InvariantCulture) : options.ScriptPortsText;

    /// <summary>The host and the port or ports.</summary>
    public string Place => $"{address.Host}:{Ports}";

    private static bool IsRemote(string host) => host != "localhost" && !(IPAddress.TryParse(host, out var ip) && IPAddress.IsLoopback(ip));

    private async Task<(int Port, SocketError? Failure)> ConnectAsync(int port, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(options.ConnectTimeout);
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(address.Host, port, limit.Token);
            return (port, null);
        }
        catch (SocketException exception)
        {
            return (port, exception.SocketErrorCode);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return (port, SocketError.TimedOut);
        }
    }

    // until the silence is known, the script is only connected to
    private bool MayAnswer(EmulatorState state, TimeSpan waited) => state switch
    {
        EmulatorState.Connecting => waited < HelloTimeout + options.SilenceTimeout,
        EmulatorState.Silent or EmulatorState.ScriptMissing => waited < HelloTimeout,
        _ => false,
    };

    private async Task<(bool IsScript, EmulatorHealth Health, IReadOnlyList<Finding> Findings)> CheckAsync(int port, CancellationToken cancellationToken)
    {
        var settings = new TransportSettings(options with { MinConnections = 1, MaxConnections = 1 });
        await using var client = new EmulatorClient(
            port.ToString(CultureInfo.InvariantCulture), address with { Port = port }, settings, TimeProvider.System, MemoryPool<byte>.Shared, NullLogger.Instance);
        for (var since = TimeProvider.System.GetTimestamp(); MayAnswer(client.Health.State, TimeProvider.System.GetElapsedTime(since));)
        {
            await Task.Delay(20, cancellationToken);
        }

        var owner = IsRemote(address.Host) ? null : ProcessLookup.Listener(port);
        var health = client.Health;
        return (health.State is not (EmulatorState.OtherProgram or EmulatorState.ScriptMissing or EmulatorState.Connecting), health,
            await check.RunAsync(client, $"{address.Host}:{port}", owner, cancellationToken));
    }
}

/// <summary>What a search found.</summary>
/// <param name="IsFound">Whether a script answered, if only with a failure.</param>
/// <param name="IsSilent">Whether something accepted the connection and sent nothing: the script in a window that runs no frames, or another program.</param>
/// <param name="HasOther">Whether another script, such as mGBA-http's, is in its place.</param>
/// <param name="Findings">The results of the checks.</param>
internal sealed record ScriptSearchResult(bool IsFound, bool IsSilent, bool HasOther, IReadOnlyList<Finding> Findings);
