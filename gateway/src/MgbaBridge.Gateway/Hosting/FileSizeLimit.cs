using System.Runtime.InteropServices;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// A limit on the size of files (<c>RLIMIT_FSIZE</c>, <c>ulimit -f</c>, <c>LimitFSIZE</c> of systemd). Writing beyond it sends SIGXFSZ, which ends a
/// program; without the signal the write fails as on a full disk.
/// </summary>
internal static class FileSizeLimit
{
    private const PosixSignal FileTooLarge = (PosixSignal)25; // SIGXFSZ, of Linux and macOS

    /// <summary>Ignores the signal until it is disposed.</summary>
    public static IDisposable? IgnoreSignal() => OperatingSystem.IsWindows() ? null : PosixSignalRegistration.Create(FileTooLarge, static context => context.Cancel = true);
}
