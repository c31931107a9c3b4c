using System.Globalization;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>Makes failures of error replies, and of requests that are not sent.</summary>
internal static class ErrorReplies
{
    /// <summary>Reads <c>code "detail" {name=value}</c>.</summary>
    public static CommandFailure Read(ReadOnlySpan<byte> body)
    {
        var values = new ValueReader(body);
        var code = values.Read() ? ErrorCodes.Parse(values.GetText()) : ErrorCode.Other;
        var detail = values.Read() ? values.GetText() : "no reason given";
        return new CommandFailure(ErrorCodes.FailureOf(code), detail) { Code = code, Values = body.ToArray() };
    }

    /// <summary>The failure of this exchange. After an earlier attempt, some error replies mean that the outcome is unknown.</summary>
    public static CommandFailure For(Exchange exchange, CommandFailure failure) =>
        exchange.WasResent && failure.Code is ErrorCode.EpochChanged or ErrorCode.Expired
            ? FailureText.Indeterminate($"The connection broke before the reply came, and the script answered the second attempt: {failure.Detail}.")
            : failure;

    /// <summary>Why a request cannot be sent to this script, or null.</summary>
    public static CommandFailure? BeforeSending(Exchange exchange, HelloReply hello, int incarnation)
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
    public static CommandFailure Overloaded(TransportOptions options) => new(
        CommandFailureKind.Overloaded,
        $"The request waited {Milliseconds(options.WaitTimeout)} for capacity, or {options.MaxWaiting} requests were already waiting. Send requests less often, or combine them.");

    public static CommandFailure ConnectFailed(string address, string reason) => new(
        CommandFailureKind.ConnectFailed,
        $"Nothing answers on {address}: {reason} Is mGBA running with mgba-bridge.lua loaded (Tools > Scripting > File > Load script)? "
        + "The address comes from Bridge:Emulators:n:Host and Port.");

    public static CommandFailure IsRestarted(string address) => new(
        CommandFailureKind.ConnectFailed,
        $"Nothing answers on {address}: the emulator has ended or is starting. The gateway started it and starts it again by itself; "
        + "its status has the reason (process.lastFault) and what it printed (process.log).");

    public static CommandFailure ConnectTimedOut(string address, TimeSpan timeout) => new(
        CommandFailureKind.ConnectTimedOut,
        $"{address} did not accept a connection within {Milliseconds(timeout)} (Bridge:Transport:ConnectTimeout). Is the host right and not behind a firewall?");

    public static CommandFailure NotOurs(string address, string found) => new(
        CommandFailureKind.NotOurs,
        $"{address} belongs to another program, which answered {found}. Set Bridge:Emulators:n:Port to the port that the script names in mGBA's Scripting window.");

    public static CommandFailure OtherNonce(string address, string found) => new(
        CommandFailureKind.NotOurs,
        $"{address} is an mGBA-bridge script, but not the one this gateway was started for: its nonce is {found}, which differs from Bridge:Emulators:n:Nonce. Another emulator uses the port.");

    public static CommandFailure OtherScript(string address) => new(
        CommandFailureKind.NotOurs,
        $"{address} is the script of mGBA-http (mGBASocketServer.lua), or one of its kind, which this gateway does not use. Replace it in mGBA: Tools > Scripting > File > Reset, "
        + "then File > Load script, mgba-bridge.lua (`mgba-bridge script` writes it).")
    { Code = ErrorCode.OtherScript };

    public static CommandFailure OtherVersion(string address, string script, Version own) => new(
        CommandFailureKind.WrongVersion,
        Version.TryParse(script, out var version) && version > own
            ? $"{address} is script {script}; this gateway is {own}. Update the gateway to {script}."
            : $"{address} is script {script}; this gateway is {own}. Load the script of this gateway in mGBA: `mgba-bridge script` writes it.");

    public static CommandFailure WrongVersion(string address, string detail) => new(CommandFailureKind.WrongVersion, $"{address} answered: {detail}");

    public static CommandFailure SecretMissing(string address) => new(
        CommandFailureKind.Rejected, $"{address} requires a secret. Set Bridge:Emulators:n:Secret to the script's MGBA_BRIDGE_SECRET.")
    { Code = ErrorCode.AuthRequired };

    public static CommandFailure SecretWrong(string address) => new(
        CommandFailureKind.Rejected, $"{address} did not accept the secret. Set Bridge:Emulators:n:Secret to the script's MGBA_BRIDGE_SECRET.")
    { Code = ErrorCode.AuthFailed };

    public static CommandFailure ScriptWithoutSecret(string address) => new(
        CommandFailureKind.Rejected,
        $"{address} did not request the secret of Bridge:Emulators:n:Secret: its script was started without MGBA_BRIDGE_SECRET, or another program uses the port. "
        + "Start mGBA with MGBA_BRIDGE_SECRET, or remove the gateway's setting.")
    { Code = ErrorCode.AuthMissing };

    public static CommandFailure ScriptUnproven(string address) => new(
        CommandFailureKind.Rejected, $"{address} did not prove that it knows the secret: another program uses the port or relays the connection. No request was sent to it.")
    { Code = ErrorCode.AuthMismatch };

    public static CommandFailure ScriptTooOld(string address) => new(
        CommandFailureKind.WrongVersion, $"{address} is an older script, which cannot prove the secret to the gateway. Update mgba-bridge.lua in mGBA to this gateway's version.");

    public static CommandFailure TooManyConnections(string address, string detail) => new(
        CommandFailureKind.Rejected, $"{address} accepts no more connections: {detail}. Close other clients, or raise MGBA_BRIDGE_CONNECTIONS where mGBA is started.")
    { Code = ErrorCode.TooManyConnections };

    public static CommandFailure Idle() => new(CommandFailureKind.ConnectionLost, "It was idle.");

    public static CommandFailure Silent(string address, TimeSpan after) => new(
        CommandFailureKind.Silent,
        $"{address} accepts connections, but the script has sent nothing for {Milliseconds(after)} (Bridge:Transport:SilenceTimeout). Possible causes, the most likely first: the game is paused, "
        + "no game is loaded, a dialog or menu is open in mGBA, the game crashed, mGBA waits for an audio device that this machine lacks, this machine is so busy that mGBA does not run, or another program uses the port.");

    public static CommandFailure ConnectionLost(string address, string reason) => new(
        CommandFailureKind.ConnectionLost, $"The connection to {address} broke: {reason} The gateway reconnects automatically.");

    public static CommandFailure LeaseOfNamesake(string holder) => ErrorReplies.Read(Encoding.UTF8.GetBytes(
        $"leased \"{holder} has the lockstep lease and another token than this request; only reads are answered\" holder=\"{holder}\""));

    public static CommandFailure ReplyTimedOut(TimeSpan after, bool silent) => new(
        CommandFailureKind.ReplyTimedOut,
        $"The script {(silent ? "is silent and" : "is responsive but")} did not reply within {Milliseconds(after)} (Bridge:Transport:RequestTimeout, or the request's own timeout). The request was cancelled; it may have run.{(silent ? "" : " Presses, waits and steps take frames: if the game is paused, resume it.")}");

    public static CommandFailure Indeterminate(string why) => new(
        CommandFailureKind.Indeterminate, $"{why} The command may have run once or not at all; it was not sent again. Check the game before you repeat it.");

    public static CommandFailure ReplyTooLarge(long bytes, TransportOptions options) => new(
        CommandFailureKind.ReplyTooLarge,
        $"The reply has {bytes} bytes, more than the {options.MaxReplyTail} that the gateway accepts. Request less at once.");

    public static CommandFailure ReplyHeadTooLong(int limit) => new(
        CommandFailureKind.ReplyTooLarge, $"The text of the reply has more than {limit} bytes. Request less at once.");

    public static CommandFailure HeadTooLong(int limit) => new(
        CommandFailureKind.Rejected, $"The request's arguments are longer than the {limit} bytes that the script accepts.")
    { Code = ErrorCode.HeadTooLong };

    public static CommandFailure TailTooLong(long bytes, int limit) => new(
        CommandFailureKind.Rejected, $"The request has {bytes} bytes; the script accepts at most {limit}.")
    { Code = ErrorCode.TailTooLong };

    public static CommandFailure Stopping() => new(CommandFailureKind.ConnectFailed, "The gateway is stopping.");

    public static CommandFailure StoppedUnanswered() => Indeterminate("The gateway is stopping before the reply came. Requests that had not started were cancelled.");

    public static CommandFailure Connecting(string address) => new(
        CommandFailureKind.ConnectFailed, $"The gateway is still connecting to {address}. Is mGBA running with mgba-bridge.lua loaded?");

    private static string Milliseconds(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0.###} ms");
}

/// <summary>What was received cannot be understood, and where the next message starts is not known: the connection ends.</summary>
internal sealed class BrokenStreamException(CommandFailure failure) : Exception(failure.Detail)
{
    /// <summary>What its requests fail with.</summary>
    public CommandFailure Failure { get; } = failure;
}
