using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations;

public sealed partial class FailureKindTests
{
    [Fact]
    public void Document_ListsEachKindBesideItsStatus()
    {
        var text = File.ReadAllText(Repository.File("docs/operating.md"));
        var table = text[text.IndexOf("Problems of the gateway itself:", StringComparison.Ordinal)..];
        var rows = Row().Matches(table[..table.IndexOf("\n\n`GET", StringComparison.Ordinal)])
            .SelectMany(row => Name().Matches(row.Groups["names"].Value).Select(name => (Status: row.Groups["status"].Value, Name: name.Groups["name"].Value)))
            .Where(row => row.Name != "mayHaveRun");
        Assert.Equal(
            FailureKind.All.Select(kind => $"{kind.Status} {kind.Name}").Order(StringComparer.Ordinal), rows.Select(row => $"{row.Status} {row.Name}").Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Names_AreUnique() => Assert.Equal(FailureKind.All.Count, FailureKind.All.Select(kind => kind.Name).Distinct(StringComparer.Ordinal).Count());

    [GeneratedRegex(@"^\| (?<status>\d{3}) \| (?<names>.*) \|$", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Row();

    [GeneratedRegex("`(?<name>[A-Za-z-]+)`", RegexOptions.ExplicitCapture)]
    private static partial Regex Name();
}
