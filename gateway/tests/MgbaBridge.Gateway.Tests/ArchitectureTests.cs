using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests;

/// <summary>What the sources of all projects have in common, and which the compiler does not see: it knows that a project uses only those it references.</summary>
public sealed partial class ArchitectureTests
{
    private static readonly string[] ReadsTheDate =
    [
        "Client/Emulator/HealthWatch.cs", "Engines/Supervision/EmulatorRun.cs", "Engines/Supervision/OwnedEmulator.cs", "Engines/Supervision/StateStore.cs",
        "Gateway/Interfaces/Mcp/Server/ToolCalls.cs", "Gateway/Operations/Agents/Agent.cs", "Gateway/Operations/Guests/GuestStore.cs", "Gateway/Operations/States/SaveDataOperations.cs", "Gateway/Operations/Status/DoorClients.cs", "Gateway/Operations/Status/ProcessModels.cs",
    ];

    [Fact]
    public void Folders_NestedOnesIncluded_HaveNoCycles()
    {
        var uses = Files().GroupBy(file => file.Folder).ToDictionary(
            group => group.Key,
            group => group.SelectMany(file => Used(file.Text)).Concat(Around(group.Key)).Where(used => used != group.Key).ToHashSet());
        var cycles = from folder in uses.Keys where Reachable(uses, folder).Contains(folder) select folder;
        Assert.DoesNotContain(cycles, folder => !folder.StartsWith("Gateway/Hosting", StringComparison.Ordinal)); // puts everything together
    }

    /// <summary>The tests have the folders of the projects, so that those of a resource are found by its name. EndToEnd and Support are their own.</summary>
    [Fact]
    public void Tests_OfEachFolder_AreInTheSameFolder()
    {
        var tests = Repository.File("gateway/tests/MgbaBridge.Gateway.Tests");
        var tested = Directory.EnumerateFiles(tests, "*.cs", SearchOption.AllDirectories)
            .Where(file => file.EndsWith("Tests.cs", StringComparison.Ordinal) || file.EndsWith("Properties.cs", StringComparison.Ordinal))
            .Select(file => Path.GetRelativePath(tests, Path.GetDirectoryName(file)!).Replace('\\', '/')).ToHashSet();
        var folders = Folders().Select(InTests).ToHashSet();
        var needed = folders.Where(folder => folder.Length > 0 && folder.Count(letter => letter == '/') <= (IsOfRooms(folder) ? 1 : 0)).ToHashSet();
        Assert.Empty(needed.Except(tested).Select(folder => $"{folder} has no tests in gateway/tests/MgbaBridge.Gateway.Tests/{folder}"));
        Assert.Empty(tested.Except(folders).Except([".", "EndToEnd"]).Select(folder => $"the tests in {folder} are of no folder of a project"));
    }

    /// <summary>What callers can ask for does not depend on how they ask.</summary>
    [Fact]
    public void Operations_InTheSources_UseNoInterface() =>
        Assert.Empty(Files().Where(file => file.Folder.StartsWith("Gateway/Operations", StringComparison.Ordinal) && InterfaceUses().IsMatch(file.Text)).Select(file => file.Name));

    /// <summary>Interfaces run operations, whose invocations send the commands. What no operation has is a session's heartbeat.</summary>
    [Fact]
    public void Commands_InTheSources_AreSentByNoInterface() => Assert.Equal(
        ["Gateway/Interfaces/WebSockets/WebSocketOperations.cs"],
        Files().Where(file => file.Folder.StartsWith("Gateway/Interfaces", StringComparison.Ordinal) && CommandSends().IsMatch(file.Text)).Select(file => file.Name));

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

    private static bool IsOfRooms(string folder) => folder.StartsWith("Operations/", StringComparison.Ordinal) || folder.StartsWith("Interfaces/", StringComparison.Ordinal);

    private static string InTests(string folder) => folder.StartsWith("Fleet", StringComparison.Ordinal) ? folder : folder[(folder + "/").IndexOf('/')..].TrimStart('/');

    private static HashSet<string> Folders() => [.. Files().Select(file => file.Folder)];

    private static List<(string Folder, string Name, string Text)> Files() => Sources.Value;

    private static readonly Lazy<List<(string Folder, string Name, string Text)>> Sources = new(() =>
    {
        var root = Repository.File("gateway/src");
        return [.. from file in Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
                   let name = Path.GetRelativePath(root, file).Replace('\\', '/')["MgbaBridge.".Length..]
                   where !name.Contains("/obj/", StringComparison.Ordinal) && !name.Contains("/bin/", StringComparison.Ordinal) && name != "Gateway/Program.cs"
                   select (name[..name.LastIndexOf('/')], name, File.ReadAllText(file))];
    });

    [GeneratedRegex(@"\b(UtcNow|GetUtcNow|GetLocalNow|DateTime\.Now|DateTimeOffset\.Now|TickCount)\b")]
    private static partial Regex DateReads();

    [GeneratedRegex(@"\b[eE]mulator\.SendAsync\(")]
    private static partial Regex CommandSends();

    [GeneratedRegex(@"\bHttpContext\b|MgbaBridge\.Gateway\.Interfaces")]
    private static partial Regex InterfaceUses();

    [GeneratedRegex(@"^using MgbaBridge\.([\w.]+);", RegexOptions.Multiline)]
    private static partial Regex Namespaces();

    [GeneratedRegex(@"^[\w ]*\bpartial (?:class|struct|interface|record(?: class| struct)?) (\w+)", RegexOptions.Multiline)]
    private static partial Regex PartialTypes();
}
