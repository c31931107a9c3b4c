using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Security;

/// <summary>docs/security.md names a test for each threat; the tests and commands that it and docs/reliability.md name exist.</summary>
public sealed partial class SecurityPageTests
{
    [Fact]
    public void Threats_OfThePage_HaveTestsThatExist()
    {
        var rows = File.ReadAllLines(Repository.File("docs/security.md")).SkipWhile(line => !line.StartsWith("## Threats", StringComparison.Ordinal))
            .Skip(1).TakeWhile(line => !line.StartsWith("##", StringComparison.Ordinal)).Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Skip(1).Select(line => line.Split('|')[3]).ToArray();
        Assert.NotEmpty(rows);
        Assert.All(rows, tests => Assert.Matches(TestName(), tests));
        Assert.All(rows.SelectMany(tests => TestName().Matches(tests).Select(match => match.Groups[1].Value)), test => Assert.True(Exists(test), test));
    }

    [Theory]
    [InlineData("docs/security.md")]
    [InlineData("docs/reliability.md")]
    public void TestsAndCommands_OfAPage_Exist(string page)
    {
        var text = File.ReadAllText(Repository.File(page));
        var targets = File.ReadAllText(Repository.File("Makefile"));
        string[] tests = [.. NamedTest().Matches(text).Select(match => match.Groups[1].Value).Distinct()];
        string[] commands = [.. Command().Matches(text).Select(match => match.Groups[1].Value.Trim()).Distinct()];
        Assert.NotEmpty(tests);
        Assert.NotEmpty(commands);
        Assert.All(tests, test => Assert.True(Exists(test), test));
        Assert.All(commands, command => Assert.True(
            command.StartsWith("make ", StringComparison.Ordinal) ? targets.Contains($"\n{command[5..]}:", StringComparison.Ordinal) : File.Exists(Repository.File(command)), command));
    }

    private static bool Exists(string test)
    {
        if (test.Contains('/'))
        {
            return File.Exists(Repository.File(test));
        }

        if (test.StartsWith("test_", StringComparison.Ordinal))
        {
            return new[] { "scripts/tests", "lua/test/real", "tests/chaos", "tests/fuzz" }.SelectMany(folder => Directory.EnumerateFiles(Repository.File(folder), "*.py"))
                .Any(file => File.ReadAllText(file).Contains($"def {test}(", StringComparison.Ordinal));
        }

        var (type, method) = (test.Split('.')[0], test.Split('.').ElementAtOrDefault(1));
        return typeof(SecurityPageTests).Assembly.GetTypes().Any(found => found.Name == type && (method is null || found.GetMethod(method) is not null));
    }

    [GeneratedRegex(@"`(test_\w+|\w+Tests(?:\.\w+)?)`")]
    private static partial Regex NamedTest();

    [GeneratedRegex("`(make [a-z-]+|scripts/[a-z-]+)[` ]")]
    private static partial Regex Command();

    [GeneratedRegex("`([A-Za-z0-9_./]+)`")]
    private static partial Regex TestName();
}
