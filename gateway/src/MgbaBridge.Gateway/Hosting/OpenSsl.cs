using System.Runtime.InteropServices;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// Whether .NET finds OpenSSL, which it uses on Linux for random numbers and hashes as well as for TLS. It loads the library at the first use, and aborts
/// the program when there is none.
/// </summary>
internal static class OpenSsl
{
    // those that .NET tries, the newest first
    private static readonly string[] Libraries = ["libssl.so.3", "libssl.so.1.1", "libssl.so.1.0.2", "libssl.so.1.0.0", "libssl.so.10"];

    /// <summary>What to do when it is missing.</summary>
    public const string Install = "Install it (Debian and Ubuntu: apt install libssl3; Fedora: dnf install openssl-libs).";

    /// <summary>Says that it is missing; null when it is there, or another system provides what .NET needs.</summary>
    public static string? Missing => IsMissing(OperatingSystem.IsLinux(), static library => NativeLibrary.TryLoad(library, out _)) ? "OpenSSL 3 (libssl.so.3), which .NET needs for random numbers and hashes, is missing." : null;

    /// <summary>The same with another system.</summary>
    internal static bool IsMissing(bool isLinux, Func<string, bool> load) =>
        isLinux && !Libraries.Append(Environment.GetEnvironmentVariable("CLR_OPENSSL_VERSION_OVERRIDE") is { } version ? $"libssl.so.{version}" : "").Any(name => name.Length > 0 && load(name));
}
