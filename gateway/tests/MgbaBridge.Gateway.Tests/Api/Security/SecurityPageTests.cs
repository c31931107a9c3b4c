using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Api.Security;

/// <summary>docs/security.md names a test for each threat.</summary>
public sealed partial class SecurityPageTests
{
    [Fact]
    public void Threats_OfThePage_HaveTestsThatExist()
    {
        var rows = File.ReadAllLines(Repository.File("docs/security.md")).SkipWhile(line => !line.StartsWith("## Threats", StringComparison.Ordinal))
            .Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Skip(1).Select(line => line.Split('|')[3]).ToArray();
        Assert.NotEmpty(rows);
        Assert.All(rows, tests => Assert.Matches(TestName(), tests));
        Assert.All(rows.SelectMany(tests => TestName().Matches(tests).Select(match => match.Groups[1].Value)), test => Assert.True(Exists(test), test));
    }

    private static bool Exists(string test)
    {
        if (test.Contains('/'))
        {
            return File.Exists(Repository.File(test));
        }

        if (test.StartsWith("test_", StringComparison.Ordinal))
        {
            return new[] { "scripts/tests", "lua/test/real" }.SelectMany(folder => Directory.EnumerateFiles(Repository.File(folder), "*.py"))
                .Any(file => File.ReadAllText(file).Contains($"def {test}(", StringComparison.Ordinal));
        }

        var (type, method) = (test.Split('.')[0], test.Split('.').ElementAtOrDefault(1));
        return typeof(SecurityPageTests).Assembly.GetTypes().Any(found => found.Name == type && (method is null || found.GetMethod(method) is not null));
    }

    [GeneratedRegex("`([A-Za-z0-9_./]+)`")]
    private static partial Regex TestName();
}
