using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Security;

/// <summary>What a caller sees of texts that were made for the owner of the machine: without its paths, unless the caller is an owner.</summary>
internal static partial class ShownText
{
    private static readonly Lazy<FrozenSet<string>> Roots = new(static () => RootsOf().ToFrozenSet(StringComparer.Ordinal));

    /// <summary>A text about something that happened.</summary>
    [return: NotNullIfNotNull(nameof(text))]
    public static string? For(Caller caller, string? text) => text is null ? null
        : caller.Role >= Role.Owner || !text.AsSpan().ContainsAny('/', '\\') ? EscapedText.Of(text)
        : EscapedText.Of(HostPath().Replace(text, static path => IsOfThisHost(path) ? LastOf(path.ValueSpan).ToString() : path.Value));

    /// <summary>The path of a file: for others than owners its name alone.</summary>
    [return: NotNullIfNotNull(nameof(path))]
    public static string? File(Caller caller, string? path) => path is null || caller.Role >= Role.Owner ? path : LastOf(path).ToString();

    private static ReadOnlySpan<char> LastOf(ReadOnlySpan<char> path)
    {
        path = path.TrimEnd(['/', '\\']);
        return path[(path.LastIndexOfAny('/', '\\') + 1)..];
    }

    // paths of the API have the same form, and no folder of a host is called v2
    private static bool IsOfThisHost(Match path) => path.Groups["drive"].Success || Roots.Value.Contains(path.Groups["root"].Value.TrimEnd('.'));

    private static IEnumerable<string> RootsOf()
    {
        try
        {
            return OperatingSystem.IsWindows() ? [] : [.. Directory.GetFileSystemEntries("/").Select(static entry => entry[1..])];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return ["home", "root", "usr", "opt", "var", "tmp", "mnt", "media", "srv", "Users", "private", "Volumes"];
        }
    }

    // a folder may have spaces and brackets in its name, but what ends with a space or a comma before the next slash is the end of one path and the begin of another
    [GeneratedRegex("""(?<![\w~.:/\\-])(?:(?<drive>[A-Za-z]:)(?=[/\\])|/(?<root>[^/\\\s"'<>|:;,()]+))(?:[/\\](?:[^/\\"'<>|:\r\n]|(?<=\w)'(?=\w))*(?<![\s,;(])(?=[/\\]))*(?:[/\\][^/\\\s"'<>|:;,()]*)*""", RegexOptions.CultureInvariant)]
    private static partial Regex HostPath();
}
