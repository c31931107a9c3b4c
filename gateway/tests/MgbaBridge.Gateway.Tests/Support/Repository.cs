using System.Runtime.CompilerServices;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Files of the repository.</summary>
internal static class Repository
{
    public static string File(string path) => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(Here())!, "../../../..", path));

    private static string Here([CallerFilePath] string here = "") => here;
}
