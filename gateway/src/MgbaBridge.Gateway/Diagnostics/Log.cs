namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>Every log message, with its event id. Successful requests are not logged.</summary>
public static partial class Log
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

    [LoggerMessage(1008, LogLevel.Error, "{Method} {Path} failed inside the gateway. Please report this.")]
    public static partial void EndpointDefect(ILogger logger, string method, string path, Exception exception);

    [LoggerMessage(1009, LogLevel.Warning, "The gateway stops with {Count} requests unanswered by emulator {Emulator}.")]
    public static partial void StoppedEarly(ILogger logger, int count, string emulator);

    [LoggerMessage(1010, LogLevel.Information, "Another gateway listens on {EndPoint}; it accepts all new connections.")]
    public static partial void HandedOver(ILogger logger, string endPoint);

    [LoggerMessage(1011, LogLevel.Error, "A request on a WebSocket to emulator {Emulator} failed inside the gateway. Please report this.")]
    public static partial void SocketDefect(ILogger logger, string emulator, Exception exception);

    [LoggerMessage(1012, LogLevel.Information, "{Setting} is now {Value}.")]
    public static partial void SettingApplied(ILogger logger, string setting, object value);

    [LoggerMessage(1013, LogLevel.Warning, "{Setting} has changed and takes effect after a restart.")]
    public static partial void SettingNeedsRestart(ILogger logger, string setting);

    [LoggerMessage(1014, LogLevel.Error, "The changed settings are invalid and were ignored; the previous ones remain in effect: {Errors}")]
    public static partial void SettingsRefused(ILogger logger, string errors);

    [LoggerMessage(1015, LogLevel.Error, "The changed settings cannot be read from {File}; the previous ones remain in effect: {Reason}")]
    public static partial void SettingsUnreadable(ILogger logger, string file, string reason);

    [LoggerMessage(1016, LogLevel.Information, "The tokens have changed; {Count} are valid now. What was open for others has ended.")]
    public static partial void TokensChanged(ILogger logger, int count);

    [LoggerMessage(1017, LogLevel.Warning, "The search for further scripts failed and is repeated: {Reason}")]
    public static partial void DiscoveryFailed(ILogger logger, string reason);

    [LoggerMessage(1018, LogLevel.Warning, "A connection of {Caller} was cut: it left {Bytes} bytes unread, and the limit of {Limit} was reached (Bridge:Http:{Setting}).")]
    public static partial void UnreadConnectionCut(ILogger logger, System.Net.IPAddress caller, long bytes, long limit, string setting);

    [LoggerMessage(1019, LogLevel.Information, "The gateway serves at {Addresses}.")]
    public static partial void Serves(ILogger logger, string addresses);

    [LoggerMessage(1020, LogLevel.Warning, "Another gateway listens on {EndPoint}, but has not answered in time. Asking again.")]
    public static partial void SuccessorSilent(ILogger logger, string endPoint);

    [LoggerMessage(1101, LogLevel.Information, "Emulator {Emulator}: started {Program} (process {Process}, port {Port}) with {Rom}.")]
    public static partial void EmulatorStarted(ILogger logger, string emulator, string program, int process, int port, string rom);

    [LoggerMessage(1102, LogLevel.Information, "Emulator {Emulator}: stopped (exit code {Code}).")]
    public static partial void EmulatorStopped(ILogger logger, string emulator, int code);

    [LoggerMessage(1103, LogLevel.Error, "Emulator {Emulator} failed: {Reason}. It is restarted. What it printed last: {LogFile}.")]
    public static partial void EmulatorFault(ILogger logger, string emulator, string reason, string logFile);

    [LoggerMessage(1104, LogLevel.Warning, "Emulator {Emulator} answers again after {Seconds:0.0} s. It continued from {State}; {Lost:0.0} s of play were lost.")]
    public static partial void EmulatorRestarted(ILogger logger, string emulator, double seconds, string state, double lost);

    [LoggerMessage(1105, LogLevel.Error, "Emulator {Emulator} could not be restarted and is tried again: {Problem}")]
    public static partial void RestartFailed(ILogger logger, string emulator, string problem);

    [LoggerMessage(1106, LogLevel.Warning, "Emulator {Emulator}: no automatic state was taken: {Problem}")]
    public static partial void StateNotTaken(ILogger logger, string emulator, string problem);

    [LoggerMessage(1107, LogLevel.Warning, "Emulator {Emulator}: state {State} could not be restored: {Problem}")]
    public static partial void StateNotRestored(ILogger logger, string emulator, string state, string problem);

    [LoggerMessage(1108, LogLevel.Warning, "State {State} in {Folder} is damaged and was set aside (*.damaged): {Reason}")]
    public static partial void StateDamaged(ILogger logger, string state, string folder, string reason);

    [LoggerMessage(1109, LogLevel.Information, "Emulator {Emulator}: its window was closed.")]
    public static partial void WindowClosed(ILogger logger, string emulator);

    [LoggerMessage(1110, LogLevel.Information, "Emulator {Emulator} had no request for {Time} (Bridge:Owned:IdleStop) and is stopped.")]
    public static partial void IdleStopped(ILogger logger, string emulator, TimeSpan time);

    [LoggerMessage(1113, LogLevel.Information, "Emulator {Emulator}: its last run did not end in order; it continues from state {State} (Bridge:Owned:Fresh starts from the save file).")]
    public static partial void EmulatorContinued(ILogger logger, string emulator, string state);

    [LoggerMessage(1111, LogLevel.Error, "The supervision of emulator {Emulator} failed inside the gateway. It is not watched any more; please report this.")]
    public static partial void SupervisionDefect(ILogger logger, string emulator, Exception exception);

    [LoggerMessage(1112, LogLevel.Information, "States, save files and logs of owned emulators are in {Folder}.")]
    public static partial void DataFolder(ILogger logger, string folder);

    [LoggerMessage(1201, LogLevel.Information, "Host {Host} is registered in the fleet {Fleet} and takes {Capacity} emulators.")]
    public static partial void FleetRegistered(ILogger logger, Guid host, string fleet, int capacity);

    [LoggerMessage(1202, LogLevel.Warning, "The fleet cannot be used, which is tried again: {Reason}")]
    public static partial void FleetDatabaseAway(ILogger logger, string reason);

    [LoggerMessage(1203, LogLevel.Information, "The fleet can be used again.")]
    public static partial void FleetDatabaseBack(ILogger logger);

    [LoggerMessage(1204, LogLevel.Warning, "Host {Host} was declared lost. Its {Count} emulators end; their sessions continue on other hosts.")]
    public static partial void FleetHostLost(ILogger logger, Guid host, int count);

    [LoggerMessage(1205, LogLevel.Warning, "Session {Session} (generation {Generation}) is not this host's any more; its state was not stored.")]
    public static partial void FleetCopyFenced(ILogger logger, string session, long generation);

    [LoggerMessage(1206, LogLevel.Warning, "Session {Session} did not start: {Reason}")]
    public static partial void FleetCopyFailed(ILogger logger, string session, string reason);

    [LoggerMessage(1207, LogLevel.Error, "Session {Session} failed inside this program. Please report this.")]
    public static partial void FleetCopyDefect(ILogger logger, string session, Exception exception);

    [LoggerMessage(1208, LogLevel.Warning, "The last state of session {Session} was not stored, and the one before is used: {Reason}")]
    public static partial void FleetStateNotStored(ILogger logger, string session, string reason);

    [LoggerMessage(1209, LogLevel.Information, "Host {Host} has given back {Count} sessions and leaves the fleet.")]
    public static partial void FleetDrained(ILogger logger, Guid host, int count);

    [LoggerMessage(1210, LogLevel.Warning, "This host could not give its sessions back in time; they are moved when its lease ends: {Reason}")]
    public static partial void FleetDrainFailed(ILogger logger, string reason);

    [LoggerMessage(1211, LogLevel.Information, "This gateway leads the fleet {Fleet}.")]
    public static partial void FleetLeads(ILogger logger, string fleet);

    [LoggerMessage(1212, LogLevel.Warning, "{Count} hosts were declared lost; their sessions are moved.")]
    public static partial void FleetLost(ILogger logger, int count);

    [LoggerMessage(1213, LogLevel.Warning, "The engine {Engine} failed, which is tried again: {Reason}")]
    public static partial void FleetEngineFailed(ILogger logger, string engine, string reason);

    [LoggerMessage(1216, LogLevel.Warning, "The engine {Engine} ended {Count} jobs before a host of them had registered; others are requested. The output of a job says why (with slurm: Bridge:Fleet:SlurmArguments:0 = --output=FILE).")]
    public static partial void FleetJobsFailed(ILogger logger, string engine, int count);

    [LoggerMessage(1221, LogLevel.Warning, "A connection to this host's scripts was refused (reported at most once a second): {Reason}")]
    public static partial void FleetLinkRefused(ILogger logger, string reason);

    [LoggerMessage(1222, LogLevel.Warning, "Session {Session} cannot be reached through its host at {Address}, which is tried again: {Reason}")]
    public static partial void FleetLinkFailed(ILogger logger, string session, string address, string reason);

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
