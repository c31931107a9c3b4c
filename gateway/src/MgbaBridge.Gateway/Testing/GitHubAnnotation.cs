using System.Globalization;

namespace MgbaBridge.Gateway.Testing;

/// <summary>A failure as a line by which GitHub marks a line of a file.</summary>
internal static class GitHubAnnotation
{
    /// <summary>Whether this process runs in a workflow of GitHub.</summary>
    public static bool IsWanted => Environment.GetEnvironmentVariable("GITHUB_ACTIONS") == "true";

    /// <summary>The line.</summary>
    public static string Of(TestId test, TestFailure failure) =>
        string.Create(CultureInfo.InvariantCulture, $"::error file={Property(test.File)},line={failure.Line},title={Property(test.Name)}::{Data(failure.Reason)}");

    private static string Data(string text) =>
        text.Replace("%", "%25", StringComparison.Ordinal).Replace("\r", "%0D", StringComparison.Ordinal).Replace("\n", "%0A", StringComparison.Ordinal);

    private static string Property(string text) => Data(text).Replace(":", "%3A", StringComparison.Ordinal).Replace(",", "%2C", StringComparison.Ordinal);
}
