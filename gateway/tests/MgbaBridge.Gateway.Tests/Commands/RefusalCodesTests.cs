using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Commands;

public sealed partial class ErrorCodesTests
{
    [Fact]
    public void Codes_OfTheScript_AreAllKnownAndDocumented()
    {
        var folder = Path.GetDirectoryName(Repository.File("lua/src/main.lua"))!;
        var sent = Directory.EnumerateFiles(folder, "*.lua", SearchOption.AllDirectories)
            .SelectMany(file => Refused().Matches(File.ReadAllText(file))).Select(match => match.Groups["code"].Value).ToHashSet();
        var document = File.ReadAllText(Repository.File("docs/protocol.md"));
        document = document[document.IndexOf("## 10. Codes", StringComparison.Ordinal)..];
        var documented = Row().Matches(document).SelectMany(row => Name().Matches(row.Groups["names"].Value)).Select(match => match.Groups["code"].Value).ToHashSet();
        Assert.Contains("bad-address", sent);
        Assert.Empty(sent.Except(documented));
        Assert.DoesNotContain(documented, code => ErrorCodes.Parse(code) == ErrorCode.Other);
    }

    [GeneratedRegex("""(refuse|reject|push_refusal)\([^"\n]*"(?<code>[a-z-]+)",""", RegexOptions.ExplicitCapture)]
    private static partial Regex Refused();

    [GeneratedRegex(@"^\| (?<names>(`[a-z-]+` ?)+)\|", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Row();

    [GeneratedRegex("`(?<code>[a-z-]+)`", RegexOptions.ExplicitCapture)]
    private static partial Regex Name();
}
