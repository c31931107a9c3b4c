namespace MgbaBridge.Engines.Supervision;

/// <summary>The log messages of owned emulators, with their event ids. Successful requests are not logged.</summary>
internal static partial class SupervisionLog
{
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

    [LoggerMessage(1117, LogLevel.Warning, "Emulator {Emulator}: the ROM has changed since; it starts from its save file, and the states of the ROM before are kept.")]
    public static partial void RomChanged(ILogger logger, string emulator);

    [LoggerMessage(1109, LogLevel.Information, "Emulator {Emulator}: its window was closed.")]
    public static partial void WindowClosed(ILogger logger, string emulator);

    [LoggerMessage(1110, LogLevel.Information, "Emulator {Emulator} had no request for {Time} (Bridge:Owned:IdleStop) and is stopped.")]
    public static partial void IdleStopped(ILogger logger, string emulator, TimeSpan time);

    [LoggerMessage(1111, LogLevel.Error, "The supervision of emulator {Emulator} failed inside the gateway. It is not watched any more; please report this.")]
    public static partial void SupervisionDefect(ILogger logger, string emulator, Exception exception);

    [LoggerMessage(1112, LogLevel.Information, "States, save files and logs of owned emulators are in {Folder}.")]
    public static partial void DataFolder(ILogger logger, string folder);

    [LoggerMessage(1113, LogLevel.Information, "Emulator {Emulator}: its last run did not end in order; it continues from state {State} (Bridge:Owned:Fresh starts from the save file).")]
    public static partial void EmulatorContinued(ILogger logger, string emulator, string state);

    [LoggerMessage(1115, LogLevel.Warning, "Emulator {Emulator}: a signal had stopped its process, which was continued (SIGCONT).")]
    public static partial void EmulatorContinuedAfterStop(ILogger logger, string emulator);

    [LoggerMessage(1114, LogLevel.Warning, "Emulator {Emulator} starts from its save file, although its last run did not end in order: {Reason}. Its states are kept and can be loaded.")]
    public static partial void EmulatorNotContinued(ILogger logger, string emulator, string reason);

    [LoggerMessage(1118, LogLevel.Warning, "Emulator {Emulator} ends while its save file does not have what the game holds: {Problem}. State {State} has it: the next run continues from it.")]
    public static partial void SaveKeptInState(ILogger logger, string emulator, string problem, string state);

    [LoggerMessage(1119, LogLevel.Error, "Emulator {Emulator} ended and the save that the game held is lost: {File} could not be written, and no state was taken: {Problem}. Make room on the disk before the next run.")]
    public static partial void SaveLost(ILogger logger, string emulator, string file, string problem);

    [LoggerMessage(1116, LogLevel.Warning, "Emulator {Emulator}: the cheats that it had before could not be added again: {Problem}")]
    public static partial void CheatsNotRestored(ILogger logger, string emulator, string problem);

    [LoggerMessage(1121, LogLevel.Warning, "Emulator {Emulator}: {Rom} was built again (CRC32 {Crc32:X8}; {Before:X8} runs); {Next}.")]
    public static partial void RomBuilt(ILogger logger, string emulator, string rom, uint crc32, uint before, string next);

    [LoggerMessage(1122, LogLevel.Warning, "Emulator {Emulator} runs the new {Rom} (CRC32 {Crc32:X8}, before {Before:X8}) from its save file; states of the build before are kept.")]
    public static partial void RomReloaded(ILogger logger, string emulator, string rom, uint crc32, uint before);

    [LoggerMessage(1120, LogLevel.Warning, "Emulator {Emulator}: of the zip archive only the ROM is used, not {Names}. Unpack what you need: save data belongs beside the ROM (NAME.sav), a patch and cheats are given with --patch and --cheats.")]
    public static partial void LeftOutOfArchive(ILogger logger, string emulator, string names);
}
