using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests;

/// <summary>Which folder may use which, checked by reading the sources.</summary>
public sealed partial class ArchitectureTests
{

    // Hosting and Program.cs put everything together; only the command line uses them
    private static readonly Dictionary<string, string[]> MayUse = new()
    {
        ["Protocol"] = [],
        ["Buffers"] = [],
        ["Validation"] = [],
        ["Diagnostics"] = ["Buffers", "Validation"],
        ["Pictures"] = ["Buffers"],
        ["Commands"] = ["Buffers", "Protocol"],
        ["Transport"] = ["Commands", "Protocol", "Diagnostics", "Validation"],
        ["Emulator"] = ["Commands", "Protocol", "Transport", "Diagnostics", "Validation"],
        ["Search"] = ["Commands", "Emulator", "Validation"],
        ["Recordings"] = ["Commands", "Emulator", "Pictures"],
        ["Symbols"] = ["Commands", "Emulator", "Validation"],
        ["Video"] = ["Commands", "Emulator"],
        ["Supervision"] = ["Commands", "Emulator", "Transport", "Diagnostics", "Validation"],
        ["Fleet"] = ["Commands", "Emulator", "Supervision", "Transport", "Diagnostics", "Validation"],
        ["Api"] = ["Commands", "Protocol", "Emulator", "Fleet", "Search", "Symbols", "Recordings", "Supervision", "Video", "Pictures", "Diagnostics", "Buffers", "Validation"],
        ["Mcp"] = ["Api", "Commands", "Emulator", "Search", "Symbols", "Recordings", "Supervision", "Video", "Pictures", "Diagnostics", "Buffers", "Validation"],
        ["Benchmark"] = ["Supervision"],
        ["CommandLine"] = ["Api", "Benchmark", "Commands", "Doctor", "Hosting", "Mcp", "Supervision", "Validation"],
        ["Doctor"] = ["Commands", "Protocol", "Emulator", "Supervision", "Transport"],
        ["MgbaHttp"] = ["Commands", "Protocol", "Emulator", "Pictures", "Diagnostics", "Api", "Validation"],
    };

    private static readonly string[] ReadsTheDate =
    [
        "Api/Agents/Agent.cs", "Api/Status/ProcessModels.cs", "Emulator/HealthWatch.cs", "Mcp/Server/ToolCalls.cs",
        "Supervision/EmulatorRun.cs", "Supervision/OwnedEmulator.cs", "Supervision/StateStore.cs",
    ];

    public static TheoryData<string> TopFolders => [.. Folders().Select(Top).Distinct().Where(folder => folder is not ("Hosting" or ""))];

    [Theory]
    [MemberData(nameof(TopFolders))]
    public void Folder_InItsSources_UsesOnlyWhatItMay(string folder)
    {
        Assert.True(MayUse.TryGetValue(folder, out var allowed), $"{folder} is a new folder: state here what it may use, and in docs/architecture.md what it contains.");
        var wrong = from file in Files()
                    where Top(file.Folder) == folder
                    from used in Used(file.Text).Select(Top).Distinct()
                    where used != folder && !allowed.Contains(used)
                    select $"{file.Name} uses {used}";
        Assert.Empty(wrong);
    }

    [Fact]
    public void Folders_NestedOnesIncluded_HaveNoCycles()
    {
        var uses = Files().GroupBy(file => file.Folder).ToDictionary(
            group => group.Key,
            group => group.SelectMany(file => Used(file.Text)).Concat(Around(group.Key)).Where(used => used != group.Key).ToHashSet());
        var cycles = from folder in uses.Keys where Reachable(uses, folder).Contains(folder) select folder;
        Assert.DoesNotContain(cycles, folder => !folder.StartsWith("Hosting", StringComparison.Ordinal));
    }

    /// <summary>The tests have the folders of the gateway, so that those of a resource are found by its name. EndToEnd and Support are their own.</summary>
    [Fact]
    public void Tests_OfEachFolder_AreInTheSameFolder()
    {
        var tests = Repository.File("gateway/tests/MgbaBridge.Gateway.Tests");
        var tested = Directory.EnumerateFiles(tests, "*.cs", SearchOption.AllDirectories)
            .Where(file => file.EndsWith("Tests.cs", StringComparison.Ordinal) || file.EndsWith("Properties.cs", StringComparison.Ordinal))
            .Select(file => Path.GetRelativePath(tests, Path.GetDirectoryName(file)!).Replace('\\', '/')).ToHashSet();
        var needed = Folders().Where(folder => folder.Length > 0 && folder.Count(letter => letter == '/') <= (folder.StartsWith("Api/", StringComparison.Ordinal) ? 1 : 0) && folder != "Api").ToHashSet();
        Assert.Empty(needed.Except(tested).Select(folder => $"{folder} has no tests in gateway/tests/MgbaBridge.Gateway.Tests/{folder}"));
        Assert.Empty(tested.Except(Folders()).Except([".", "EndToEnd"]).Select(folder => $"the tests in {folder} are of no folder of the gateway"));
    }

    /// <summary>A partial type has one hand-written part; the other one is generated.</summary>
    [Fact]
    public void PartialType_InTheSources_IsDeclaredOnce()
    {
        var declared = from file in Files().Where(file => !file.Name.EndsWith(".g.cs", StringComparison.Ordinal))
                       from Match type in PartialTypes().Matches(file.Text)
                       group file.Name by $"{file.Folder}.{type.Groups[1].Value}";
        Assert.Empty(declared.Where(parts => parts.Count() > 1).Select(parts => $"{parts.Key} is declared in {string.Join(", ", parts)}"));
    }

    /// <summary>The clock of the machine may be set at any time: limits and waits use timestamps, and only times that are shown or stored use the date.</summary>
    [Fact]
    public void Date_InTheSources_IsReadWhereItIsShownOrStored()
    {
        var reading = from file in Files() where DateReads().IsMatch(file.Text) select file.Name;
        Assert.Equal(ReadsTheDate.Order(), reading.Order());
    }

    private static HashSet<string> Reachable(Dictionary<string, HashSet<string>> uses, string from)
    {
        var reached = new HashSet<string>();
        for (var next = new Queue<string>(uses[from]); next.TryDequeue(out var folder);)
        {
            if (reached.Add(folder) && uses.TryGetValue(folder, out var more))
            {
                foreach (var other in more)
                {
                    next.Enqueue(other);
                }
            }
        }

        return reached;
    }

    private static IEnumerable<string> Used(string text) =>
        Namespaces().Matches(text).Select(match => match.Groups[1].Value.Replace('.', '/')).Where(folder => Folders().Contains(folder)).Distinct();

    // a folder sees those around it without saying so
    private static IEnumerable<string> Around(string folder) => Folders().Where(other => folder.StartsWith($"{other}/", StringComparison.Ordinal));

    private static string Top(string folder) => folder.Split('/')[0];

    private static HashSet<string> Folders() => [.. Files().Select(file => file.Folder)];

    private static List<(string Folder, string Name, string Text)> Files() => Sources.Value;

    private static readonly Lazy<List<(string Folder, string Name, string Text)>> Sources = new(() =>
    {
        var root = Repository.File("gateway/src/MgbaBridge.Gateway");
        return [.. from file in Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
                   let name = Path.GetRelativePath(root, file).Replace('\\', '/')
                   where !name.StartsWith("obj/", StringComparison.Ordinal) && !name.StartsWith("bin/", StringComparison.Ordinal) && name != "Program.cs"
                   select (name[..Math.Max(0, name.LastIndexOf('/'))], name, File.ReadAllText(file))];
    });

    [GeneratedRegex(@"\b(UtcNow|GetUtcNow|GetLocalNow|DateTime\.Now|DateTimeOffset\.Now|TickCount)\b")]
    private static partial Regex DateReads();

    [GeneratedRegex(@"^using MgbaBridge\.Gateway\.([\w.]+);", RegexOptions.Multiline)]
    private static partial Regex Namespaces();

    [GeneratedRegex(@"^[\w ]*\bpartial (?:class|struct|interface|record(?: class| struct)?) (\w+)", RegexOptions.Multiline)]
    private static partial Regex PartialTypes();
}
