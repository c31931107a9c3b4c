namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>The log messages of the gateway, with their event ids. Successful requests are not logged.</summary>
internal static partial class GatewayLog
{
    [LoggerMessage(1008, LogLevel.Error, "{Method} {Path} failed inside the gateway. Please report this.")]
    public static partial void EndpointDefect(ILogger logger, string method, string path, Exception exception);

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

    [LoggerMessage(1034, LogLevel.Warning, "The links of guests in {File} cannot be read and have ended: {Reason}")]
    public static partial void GuestsUnreadable(ILogger logger, string file, string reason);

    [LoggerMessage(1035, LogLevel.Warning, "{File} has no guests as the gateway writes them: all links in it have ended, and it was set aside (*.damaged)")]
    public static partial void GuestsDamaged(ILogger logger, string file);

    [LoggerMessage(1017, LogLevel.Warning, "The search for further scripts failed and is repeated: {Reason}")]
    public static partial void DiscoveryFailed(ILogger logger, string reason);

    [LoggerMessage(1018, LogLevel.Warning, "A connection of {Caller} was cut: it left {Bytes} bytes unread, and the limit of {Limit} for {Whose} was reached (Bridge:Http:MaxUnread).")]
    public static partial void UnreadConnectionCut(ILogger logger, System.Net.IPAddress caller, long bytes, long limit, string whose);

    [LoggerMessage(1019, LogLevel.Information, "The gateway serves at {Addresses}.")]
    public static partial void Serves(ILogger logger, string addresses);

    [LoggerMessage(1020, LogLevel.Warning, "Another gateway listens on {EndPoint}, but has not answered in time. Asking again.")]
    public static partial void SuccessorSilent(ILogger logger, string endPoint);

    [LoggerMessage(1021, LogLevel.Information, "The {Door} server of emulator {Emulator} listens on {EndPoint}.")]
    public static partial void DoorListens(ILogger logger, string door, string emulator, System.Net.EndPoint endPoint);

    [LoggerMessage(1022, LogLevel.Warning, "The {Door} server of emulator {Emulator} waits for a free port of {First} to {Last}.")]
    public static partial void DoorHasNoPort(ILogger logger, string door, string emulator, int first, int last);

    [LoggerMessage(1023, LogLevel.Information, "The connection of the {Door} client {Caller} to emulator {Emulator} was closed: {Reason}")]
    public static partial void DoorClientEnded(ILogger logger, string door, string caller, string emulator, string reason);

    [LoggerMessage(1024, LogLevel.Error, "A request of a {Door} client to emulator {Emulator} failed inside the gateway. Please report this.")]
    public static partial void DoorDefect(ILogger logger, string door, string emulator, Exception exception);

    [LoggerMessage(1033, LogLevel.Error, "The {Door} server of emulator {Emulator} failed. It is started again.")]
    public static partial void DoorFailed(ILogger logger, string door, string emulator, Exception exception);

    [LoggerMessage(1025, LogLevel.Information, "The server for trackers (UAT) listens on port {Port}.")]
    public static partial void UatListens(ILogger logger, int port);

    [LoggerMessage(1026, LogLevel.Warning, "The server for trackers (UAT) waits for a free port: {Port} and {Fallback} are in use.")]
    public static partial void UatHasNoPort(ILogger logger, int port, int fallback);

    // without a full stop, which terminals would take for a part of the address
    [LoggerMessage(1027, LogLevel.Information, "The page is at {Address}")]
    public static partial void PageIsAt(ILogger logger, string address);

    [LoggerMessage(1028, LogLevel.Warning, "The names beside the ROM, {File}, were not loaded: {Reason}")]
    public static partial void SymbolsNotLoaded(ILogger logger, string file, string reason);

    [LoggerMessage(1031, LogLevel.Warning, "Emulator {Emulator} has the symbols of {File}.")]
    public static partial void SymbolsReloaded(ILogger logger, string emulator, string file);

    [LoggerMessage(1032, LogLevel.Warning, "The symbols of {File} were written before this build of the ROM: they may name other places now. Build them with the ROM.")]
    public static partial void SymbolsOlder(ILogger logger, string file);

    [LoggerMessage(1038, LogLevel.Warning, "The run of an agent is not written any more: {File}: {Reason}")]
    public static partial void RunNotWritten(ILogger logger, string file, string reason);

    [LoggerMessage(1029, LogLevel.Warning, "The cheat {Cheat} of {File} cannot be used: {Problem}")]
    public static partial void CheatUnusable(ILogger logger, string cheat, string file, string problem);

    [LoggerMessage(1030, LogLevel.Warning, "{Count} further cheats of {File} cannot be used; GET /v2/cheats lists them.")]
    public static partial void CheatsUnusable(ILogger logger, int count, string file);
}
