using System.Globalization;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>The state of processes and threads as Linux says it; they may end while it is read.</summary>
internal static class LinuxProcess
{
    /// <summary>Whether a process is gone, or only waits for its parent to notice.</summary>
    public static bool HasEnded(int process) => Of(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}")) is null or 'Z';

    /// <summary>Whether none of a process's threads runs any more: a busy machine delivers SIGSTOP to one thread, and the others run until that one has handled it.</summary>
    public static bool HasStopped(int process) =>
        Directory.EnumerateDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/task")).All(thread => Of(thread) is null or 'T');

    // it follows the name, which is in parentheses
    private static char? Of(string folder)
    {
        try
        {
            var status = File.ReadAllText(Path.Combine(folder, "stat"));
            return status[status.LastIndexOf(')') + 2];
        }
        catch (IOException)
        {
            return null;
        }
    }
}
