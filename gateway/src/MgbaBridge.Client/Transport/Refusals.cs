using System.Globalization;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>Turns refusals of requests, by the script or before they are sent, into failures.</summary>
internal static class Refusals
{
    /// <summary>Reads <c>code "detail" {name=value}</c>.</summary>
    public static FailureReport Read(ReadOnlySpan<byte> body)
    {
        var values = new ValueReader(body);
        var code = values.Read() ? RefusalCodes.Parse(values.GetText()) : RefusalCode.Other;
        var detail = values.Read() ? values.GetText() : "no reason given";
        return new FailureReport(RefusalCodes.FailureOf(code), detail) { Code = code, Values = body.ToArray() };
    }

    /// <summary>The failure of this exchange. After an earlier attempt, some refusals mean that the outcome is unknown.</summary>
    public static FailureReport For(Exchange exchange, FailureReport refusal) =>
        exchange.WasResent && refusal.Code is RefusalCode.EpochChanged or RefusalCode.Expired
            ? FailureText.Indeterminate($"The connection broke before the reply came, and the script answered the second attempt: {refusal.Detail}.")
            : refusal;

    /// <summary>Why a request cannot be sent to this script, or null.</summary>
    public static FailureReport? BeforeSending(Exchange exchange, HelloReply hello, int incarnation)
    {
        if (exchange.MayHaveLeft && exchange.Descriptor.Kind == CommandKind.Effect && exchange.Incarnation != incarnation)
        {
            return FailureText.Indeterminate("The connection broke before the reply came, and the script was reloaded since.");
        }

        return exchange.TailLength is { } tail && tail > hello.TailLimit ? FailureText.TailTooLong(tail, hello.TailLimit) : null;
    }
}

/// <summary>The texts of failures: what was found, what to do, and the settings that matter with their values.</summary>
internal static class FailureText
{
    public static FailureReport Overloaded(TransportOptions options) => new(
        Failure.Overloaded,
        $"The request waited {Milliseconds(options.WaitTimeout)} for capacity, or {options.MaxWaiting} requests were already waiting. Send requests less often, or combine them.");

    public static FailureReport ConnectFailed(string address, string reason) => new(
        Failure.ConnectFailed,
        $"Nothing answers on {address}: {reason} Is mGBA running with mgba-bridge.lua loaded (Tools > Scripting > File > Load script)? "
        + "The address comes from Bridge:Emulators:n:Host and Port.");

    public static FailureReport IsRestarted(string address) => new(
        Failure.ConnectFailed,
        $"Nothing answers on {address}: the emulator has ended or is starting. The gateway started it and starts it again by itself; "
        + "its status has the reason (process.lastFault) and what it printed (process.log).");

    public static FailureReport ConnectTimedOut(string address, TimeSpan timeout) => new(
        Failure.ConnectTimedOut,
        $"{address} did not accept a connection within {Milliseconds(timeout)} (Bridge:Transport:ConnectTimeout). Is the host right and not behind a firewall?");

    public static FailureReport NotOurs(string address, string found) => new(
        Failure.NotOurs,
        $"{address} belongs to another program, which answered {found}. Set Bridge:Emulators:n:Port to the port that the script names in mGBA's Scripting window.");

    public static FailureReport OtherNonce(string address, string found) => new(
        Failure.NotOurs,
        $"{address} is an mGBA-bridge script, but not the one this gateway was started for: its nonce is {found}, which differs from Bridge:Emulators:n:Nonce. Another emulator uses the port.");

    public static FailureReport OtherScript(string address) => new(
        Failure.NotOurs,
        $"{address} is the script of mGBA-http (mGBASocketServer.lua), or one of its kind, which this gateway does not use. Replace it in mGBA: Tools > Scripting > File > Reset, "
        + "then File > Load script, mgba-bridge.lua (`mgba-bridge script` writes it).")
    { Code = RefusalCode.OtherScript };

    public static FailureReport OtherVersion(string address, string script, Version own) => new(
        Failure.WrongVersion,
        Version.TryParse(script, out var version) && version > own
            ? $"{address} is script {script}; this gateway is {own}. Update the gateway to {script}."
            : $"{address} is script {script}; this gateway is {own}. Load the script of this gateway in mGBA: `mgba-bridge script` writes it.");

    public static FailureReport WrongVersion(string address, string detail) => new(Failure.WrongVersion, $"{address} answered: {detail}");

    public static FailureReport SecretMissing(string address) => new(
        Failure.Rejected, $"{address} requires a secret. Set Bridge:Emulators:n:Secret to the script's MGBA_BRIDGE_SECRET.")
    { Code = RefusalCode.AuthRequired };

    public static FailureReport SecretWrong(string address) => new(
        Failure.Rejected, $"{address} did not accept the secret. Set Bridge:Emulators:n:Secret to the script's MGBA_BRIDGE_SECRET.")
    { Code = RefusalCode.AuthFailed };

    public static FailureReport ScriptWithoutSecret(string address) => new(
        Failure.Rejected,
        $"{address} did not request the secret of Bridge:Emulators:n:Secret: its script was started without MGBA_BRIDGE_SECRET, or another program uses the port. "
        + "Start mGBA with MGBA_BRIDGE_SECRET, or remove the gateway's setting.")
    { Code = RefusalCode.AuthMissing };

    public static FailureReport ScriptUnproven(string address) => new(
        Failure.Rejected, $"{address} did not prove that it knows the secret: another program uses the port or relays the connection. No request was sent to it.")
    { Code = RefusalCode.AuthMismatch };

    public static FailureReport ScriptTooOld(string address) => new(
        Failure.WrongVersion, $"{address} is an older script, which cannot prove the secret to the gateway. Update mgba-bridge.lua in mGBA to this gateway's version.");

    public static FailureReport TooManyConnections(string address, string detail) => new(
        Failure.Rejected, $"{address} accepts no more connections: {detail}. Close other clients, or raise MGBA_BRIDGE_CONNECTIONS where mGBA is started.")
    { Code = RefusalCode.TooManyConnections };

    public static FailureReport Idle() => new(Failure.ConnectionLost, "It was idle.");

    public static FailureReport Silent(string address, TimeSpan after) => new(
        Failure.Silent,
        $"{address} accepts connections, but the script has sent nothing for {Milliseconds(after)} (Bridge:Transport:SilenceTimeout). Possible causes, the most likely first: the game is paused, "
        + "no game is loaded, a dialog or menu is open in mGBA, the game crashed, mGBA waits for an audio device that this machine lacks, or another program uses the port.");

    public static FailureReport ConnectionLost(string address, string reason) => new(
        Failure.ConnectionLost, $"The connection to {address} broke: {reason} The gateway reconnects automatically.");

    public static FailureReport LeaseOfNamesake(string holder) => Refusals.Read(Encoding.UTF8.GetBytes(
        $"leased \"{holder} has the lockstep lease and another token than this request; only reads are answered\" holder=\"{holder}\""));

    public static FailureReport ReplyTimedOut(TimeSpan after, bool silent) => new(
        Failure.ReplyTimedOut,
        $"The script {(silent ? "is silent and" : "is responsive but")} did not reply within {Milliseconds(after)} (Bridge:Transport:RequestTimeout, or the request's own timeout). The request was cancelled; it may have run.{(silent ? "" : " Presses, waits and steps take frames: if the game is paused, resume it.")}");

    public static FailureReport Indeterminate(string why) => new(
        Failure.Indeterminate, $"{why} The command may have run once or not at all; it was not sent again. Check the game before you repeat it.");

    public static FailureReport ReplyTooLarge(long bytes, TransportOptions options) => new(
        Failure.ReplyTooLarge,
        $"The reply has {bytes} bytes, more than the {options.MaxReplyTail} that the gateway accepts. Request less at once.");

    public static FailureReport ReplyHeadTooLong(int limit) => new(
        Failure.ReplyTooLarge, $"The text of the reply has more than {limit} bytes. Request less at once.");

    public static FailureReport HeadTooLong(int limit) => new(
        Failure.Rejected, $"The request's arguments are longer than the {limit} bytes that the script accepts.")
    { Code = RefusalCode.HeadTooLong };

    public static FailureReport TailTooLong(long bytes, int limit) => new(
        Failure.Rejected, $"The request has {bytes} bytes; the script accepts at most {limit}.")
    { Code = RefusalCode.TailTooLong };

    public static FailureReport Stopping() => new(Failure.ConnectFailed, "The gateway is stopping.");

    public static FailureReport StoppedUnanswered() => Indeterminate("The gateway is stopping before the reply came. Requests that had not started were cancelled.");

    public static FailureReport Connecting(string address) => new(
        Failure.ConnectFailed, $"The gateway is still connecting to {address}. Is mGBA running with mgba-bridge.lua loaded?");

    private static string Milliseconds(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0.###} ms");
}

/// <summary>What was received cannot be understood, and where the next message starts is not known: the connection ends.</summary>
internal sealed class BrokenStreamException(FailureReport report) : Exception(report.Detail)
{
    /// <summary>What its requests fail with.</summary>
    public FailureReport Report { get; } = report;
}
