using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Tests;

/// <summary>Who may know whom: docs/architecture.md, held by reading the sources.</summary>
public sealed partial class ArchitectureTests
{
    private static readonly Dictionary<string, string[]> MayKnow = new()
    {
        ["Protocol"] = [],
        ["Diagnostics"] = [],
        ["Server"] = ["Diagnostics"],
        ["Commands"] = ["Protocol"],
        ["Transport"] = ["Commands", "Protocol", "Diagnostics"],
        ["Emulator"] = ["Commands", "Protocol", "Transport", "Diagnostics"],
        ["Search"] = ["Commands", "Emulator"],
        ["Recording"] = ["Commands", "Emulator"],
        ["Pictures"] = [],
        ["Names"] = ["Commands", "Emulator"],
        ["Endpoints"] = ["Commands", "Protocol", "Emulator", "Search", "Names", "Recording", "Pictures", "Diagnostics"],
        // streams and the compatible paths answer through the same asking and the same bodies as ours
        ["Streaming"] = ["Commands", "Protocol", "Emulator", "Diagnostics", "Endpoints"],
        ["Compatibility"] = ["Commands", "Protocol", "Emulator", "Diagnostics", "Endpoints"],
    };

    public static TheoryData<string> Rooms => [.. Directory.GetDirectories(Source()).Select(Path.GetFileName).OfType<string>().Where(room => room is not ("bin" or "obj" or "Properties" or "wwwroot"))];

    [Theory]
    [MemberData(nameof(Rooms))]
    public void Room_InItsSources_KnowsOnlyWhomItMay(string room)
    {
        Assert.True(MayKnow.TryGetValue(room, out var allowed), $"{room} is a new room: say here and in docs/architecture.md whom it may know.");
        var wrong = from file in Directory.EnumerateFiles(Path.Combine(Source(), room), "*.cs", SearchOption.AllDirectories)
                    from known in RoomNames().Matches(File.ReadAllText(file)).Select(match => match.Groups[1].Value).Distinct()
                    where known != room && !allowed.Contains(known)
                    select $"{Path.GetFileName(file)} knows {known}";
        Assert.Empty(wrong);
    }

    [Fact]
    public void Files_OfTheGateway_StayShort()
    {
        var tooLong = Directory.EnumerateFiles(Source(), "*.cs", SearchOption.AllDirectories)
            .Where(file => !file.Contains("/obj/", StringComparison.Ordinal) && !file.Contains("\\obj\\", StringComparison.Ordinal))
            .Select(file => (Name: Path.GetFileName(file), Lines: File.ReadLines(file).Count()))
            .Where(file => file.Lines > 270)
            .Select(file => $"{file.Name} has {file.Lines} lines");
        Assert.Empty(tooLong);
    }

    [GeneratedRegex(@"MgbaBridge\.Gateway\.([A-Z]\w+)(?=[;.])")]
    private static partial Regex RoomNames();

    private static string Source([CallerFilePath] string here = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(here)!, "../../src/MgbaBridge.Gateway"));
}
