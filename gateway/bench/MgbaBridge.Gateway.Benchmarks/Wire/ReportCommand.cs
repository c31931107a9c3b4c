using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>`wire-report`: writes the rows as tables.</summary>
internal static class ReportCommand
{
    public static int Run(string[] arguments)
    {
        var given = arguments.Chunk(2).Where(pair => pair.Length == 2).ToDictionary(pair => pair[0], pair => pair[1]);
        if (!given.TryGetValue("--rows", out var path) || !given.TryGetValue("--markdown", out var markdown) || !given.TryGetValue("--json", out var json))
        {
            throw new MeasurementException("wire-report requires --rows FILE --markdown FILE --json FILE; --note TEXT is optional");
        }
        var results = File.ReadLines(path).Select(line => JsonSerializer.Deserialize<RowResult>(line, Format.Json)!).ToList();
        if (results.Count == 0)
        {
            throw new MeasurementException($"{path} contains no rows");
        }
        var rows = new Rows(results);
        var requirements = new Requirements(rows).All().ToList();
        var machine = Machine(given.GetValueOrDefault("--note"));
        File.WriteAllText(markdown, Markdown.Of(machine, requirements, rows));
        File.WriteAllText(json, JsonSerializer.Serialize(new { machine, requirements, rows = results }, Format.IndentedJson));
        return 0;
    }

    private static List<string> Machine(string? note)
    {
        var model = File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':')[1].Trim() ?? "unknown processor";
        var lines = new List<string>
        {
            $"{DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture)} UTC, {model}, {Environment.ProcessorCount} processors, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}",
        };
        if (!string.IsNullOrEmpty(note))
        {
            lines.Add(note);
        }
        return lines;
    }
}
