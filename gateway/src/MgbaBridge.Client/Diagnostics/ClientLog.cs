namespace MgbaBridge.Client.Diagnostics;

/// <summary>The log messages of requests, connections and states of emulators, with their event ids. Successful requests are not logged.</summary>
internal static partial class ClientLog
{
    [LoggerMessage(1001, LogLevel.Information, "Emulator {Emulator}: connected to script {Script} on {Address} (request class {RequestClass}), game {Game}.")]
    public static partial void Connected(ILogger logger, string emulator, string script, string address, string requestClass, string game);

    [LoggerMessage(1002, LogLevel.Information, "Emulator {Emulator}: a connection closed (request class {RequestClass}): {Reason}")]
    public static partial void Disconnected(ILogger logger, string emulator, string requestClass, string reason);

    [LoggerMessage(1003, LogLevel.Warning, "Emulator {Emulator} is now {State}: {Detail}")]
    public static partial void StateWorse(ILogger logger, string emulator, string state, string detail);

    [LoggerMessage(1004, LogLevel.Information, "Emulator {Emulator} is now {State}.")]
    public static partial void StateBetter(ILogger logger, string emulator, string state);

    [LoggerMessage(1005, LogLevel.Information, "Emulator {Emulator} sent the event {Topic} at frame {Frame}.")]
    public static partial void Announced(ILogger logger, string emulator, string topic, long frame);

    [LoggerMessage(1006, LogLevel.Error, "A connection to emulator {Emulator} failed inside the gateway. It is replaced; please report this.")]
    public static partial void ConnectionDefect(ILogger logger, string emulator, Exception exception);

    [LoggerMessage(1007, LogLevel.Error, "An attempt to send a request again to emulator {Emulator} failed inside the gateway. Please report this.")]
    public static partial void AttemptDefect(ILogger logger, string emulator, Exception exception);

    [LoggerMessage(1008, LogLevel.Error, "A picture of emulator {Emulator} failed inside the gateway. Please report this.")]
    public static partial void PictureDefect(ILogger logger, string emulator, Exception exception);

    [LoggerMessage(1009, LogLevel.Warning, "The gateway stops with {Count} requests unanswered by emulator {Emulator}.")]
    public static partial void StoppedEarly(ILogger logger, int count, string emulator);

    /// <summary>A request failed. The event's id and name come from the table of failures.</summary>
    public static void RequestFailed(ILogger logger, int id, string name, string command, string emulator, string detail)
    {
        if (logger.IsEnabled(LogLevel.Debug))
        {
            logger.Log(LogLevel.Debug, new EventId(id, name), (name, command, emulator, detail), null, static (state, _) =>
                $"{state.name}: {state.command} on emulator {state.emulator} failed: {state.detail}");
        }
    }
}
