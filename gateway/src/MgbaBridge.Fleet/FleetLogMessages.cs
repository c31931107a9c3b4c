namespace MgbaBridge.Fleet;

/// <summary>The log messages of a fleet, with their event ids. Successful requests are not logged.</summary>
internal static partial class FleetLogMessages
{
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

    [LoggerMessage(1216, LogLevel.Warning, "The engine {Engine} ended {Count} jobs before a host of them had registered; others are requested after a pause. The output of a job says why (with slurm: Bridge:Fleet:SlurmArguments:0 = --output=FILE).")]
    public static partial void FleetJobsFailed(ILogger logger, string engine, int count);

    [LoggerMessage(1217, LogLevel.Information, "Job {Job} has nothing to run: its session was deleted, or a later job runs it. This program ends.")]
    public static partial void FleetJobRefused(ILogger logger, string job);

    [LoggerMessage(1218, LogLevel.Error, "Job {Job} could not register within {Seconds} s. This program ends.")]
    public static partial void FleetJobGivenUp(ILogger logger, string job, double seconds);

    [LoggerMessage(1219, LogLevel.Error, "This host failed inside this program, gives its sessions back and ends. Please report this.")]
    public static partial void FleetHostDefect(ILogger logger, Exception exception);

    [LoggerMessage(1221, LogLevel.Warning, "A connection to this host's scripts was refused (reported at most once a second): {Reason}")]
    public static partial void FleetLinkRefused(ILogger logger, string reason);

    [LoggerMessage(1222, LogLevel.Warning, "Session {Session} cannot be reached through its host at {Address}, which is tried again: {Reason}")]
    public static partial void FleetLinkFailed(ILogger logger, string session, string address, string reason);

    [LoggerMessage(1223, LogLevel.Warning, "The states of session {Session} are not stored, which is tried again: {Reason}")]
    public static partial void FleetStatesNotStored(ILogger logger, string session, string reason);

    [LoggerMessage(1224, LogLevel.Warning, "Session {Session} does not continue from its newest state, and those before are tried: {Reason}")]
    public static partial void FleetStateUnusable(ILogger logger, string session, string reason);

    [LoggerMessage(1225, LogLevel.Warning, "What the store of states has too much is not deleted, which is tried again: {Reason}")]
    public static partial void FleetStoreAway(ILogger logger, string reason);

    [LoggerMessage(1226, LogLevel.Warning, "{Problem} It is tried again.")]
    public static partial void FleetHostDatabaseWrong(ILogger logger, string problem);
}
