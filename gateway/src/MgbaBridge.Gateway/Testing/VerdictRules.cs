using System.Reflection;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Testing;

/// <summary>The rules that come with this program, and those beside tests (<c>*.rule.yaml</c>).</summary>
/// <param name="forced">The name of the rule for all ROMs; null: the one that fits.</param>
internal sealed class VerdictRules(string? forced)
{
    /// <summary>How files with rules end.</summary>
    public const string Ending = ".rule.yaml";

    private const string Resource = "rules/";

    private static readonly Lazy<IReadOnlyList<VerdictRule>> OwnRules = new(ReadBuiltIn);

    private readonly Dictionary<string, IReadOnlyList<VerdictRule>> _folders = [];

    /// <summary>Those that come with this program.</summary>
    public static IReadOnlyList<VerdictRule> BuiltIn => OwnRules.Value;

    /// <summary>The rules for a ROM: none when no rule fits, several of one suite.</summary>
    /// <param name="path">The ROM.</param>
    /// <param name="top">The highest folder with rules that count; null: that of the ROM.</param>
    /// <exception cref="TestFileException">A rule is wrong, or those of several suites fit.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public IReadOnlyList<VerdictRule> For(string path, string? top)
    {
        var layers = LayersOf(path, top);
        if (forced is not null)
        {
            return [layers.SelectMany(static rules => rules).FirstOrDefault(rule => rule.Name == forced)
                ?? throw new TestFileException($"There is no rule {forced}. The rules are {string.Join(", ", layers.SelectMany(static rules => rules).Select(static rule => rule.Name).Distinct().Order(StringComparer.Ordinal))}.")];
        }

        var rom = RomContent.Read(path);
        var fitting = layers.Select(rules => rules.Where(rule => IsFor(rule, rom)).ToList()).FirstOrDefault(static rules => rules.Count > 0) ?? [];
        return fitting.DistinctBy(static rule => rule.Suite).ToList() is [var first, var second, ..]
            ? throw new TestFileException($"{path}: two rules fit: {first.Name} ({first.Where}) and {second.Name} ({second.Where}). Choose one with --rule.")
            : fitting;
    }

    private static bool IsFor(VerdictRule rule, RomContent rom)
    {
        try
        {
            return rule.IsFor(rom);
        }
        catch (RegexMatchTimeoutException exception)
        {
            throw new TestFileException($"{rule.Where}: the pattern \"{exception.Pattern}\" takes longer than {exception.MatchTimeout.TotalSeconds} s.");
        }
    }

    // the nearest folder first; the rules of this program last
    private List<IReadOnlyList<VerdictRule>> LayersOf(string path, string? top)
    {
        var layers = new List<IReadOnlyList<VerdictRule>>();
        var last = top is null ? null : Path.TrimEndingDirectorySeparator(Path.GetFullPath(top));
        for (var folder = Path.GetDirectoryName(Path.GetFullPath(path)); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            layers.Add(Of(folder));
            if (last is null || folder == last)
            {
                break;
            }
        }

        return [.. layers, BuiltIn];
    }

    private IReadOnlyList<VerdictRule> Of(string folder)
    {
        if (!_folders.TryGetValue(folder, out var rules))
        {
            _folders[folder] = rules = [.. Directory.GetFiles(folder, $"*{Ending}").Order(StringComparer.Ordinal).SelectMany(VerdictRuleReader.Read)];
        }

        return rules;
    }

    private static IReadOnlyList<VerdictRule> ReadBuiltIn()
    {
        var assembly = Assembly.GetExecutingAssembly();
        return [.. assembly.GetManifestResourceNames().Where(static name => name.StartsWith(Resource, StringComparison.Ordinal)).Order(StringComparer.Ordinal).SelectMany(name =>
        {
            using var text = new StreamReader(assembly.GetManifestResourceStream(name)!);
            return VerdictRuleReader.Read(name[Resource.Length..], text);
        })];
    }
}
