using System.Globalization;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// On Linux what arrives on a socket is handled by the thread that noticed it, without waking another, and one such thread is enough for all:
/// docs/decisions/0007-one-thread-for-the-sockets.md. Long work continues on other threads.
/// </summary>
internal static class SocketThreads
{
    private const int CoresForEach = 4;

    /// <summary>Sets the runtime's variables, which it reads when the first socket is created. Variables that the user has set remain.</summary>
    public static void Choose()
    {
        Set("DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS", 1);
        Set("DOTNET_SYSTEM_NET_SOCKETS_THREAD_COUNT", Math.Max(1, Environment.ProcessorCount / CoresForEach));
    }

    private static void Set(string name, int value)
    {
        if (string.IsNullOrEmpty(Environment.GetEnvironmentVariable(name)))
        {
            Environment.SetEnvironmentVariable(name, value.ToString(CultureInfo.InvariantCulture));
        }
    }
}
