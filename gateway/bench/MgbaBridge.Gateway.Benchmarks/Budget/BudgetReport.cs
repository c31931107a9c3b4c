using System.Globalization;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Benchmarks.Pictures;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Budget;

/// <summary>Budgets as a table, a picture and JSON.</summary>
internal static class BudgetReport
{
    private static readonly string[] Parts = ["emulation", "our work", "linger", "sleep"];

    /// <summary>Writes them into a folder.</summary>
    public static void Write(string folder, string name, string note, string words, string about, IReadOnlyList<BudgetRow> rows)
    {
        File.WriteAllText(Path.Combine(folder, name + ".md"), Markdown(name, note, words, rows));
        File.WriteAllText(Path.Combine(folder, name + ".json"), JsonSerializer.Serialize(new { note, rows }, WireCommand.Json));
        var bars = rows.Select(row => new Bar($"{row.Mode}, {row.Clients}", $"{Text(row.Period)} ms", [row.Emulation, row.Work, row.Linger, row.Sleep])).ToList();
        File.WriteAllText(Path.Combine(folder, name + ".svg"), new StackedBars("Where the time of a frame goes", about + "; each bar is one frame", Parts, bars).Write());
    }

    private static string Markdown(string name, string note, string words, IReadOnlyList<BudgetRow> rows)
    {
        var text = new StringBuilder("# Where the time of a frame goes\n\n");
        text.Append(CultureInfo.InvariantCulture, $"{DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC. {note}\n\nIn milliseconds. {words}\n\n");
        text.Append("| | | fps | frame | emulation | our work | linger | sleep | replies/s |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
        foreach (var row in rows)
        {
            text.Append(CultureInfo.InvariantCulture, $"| {row.Mode} | {row.Clients} | {row.Fps:0.0} | {Text(row.Period)} | {Text(row.Emulation)} | {Text(row.Work)} | {Text(row.Linger)} | {Text(row.Sleep)} | {row.Rate:N0} |\n");
        }

        return text.Append(CultureInfo.InvariantCulture, $"\n![frame budget]({name}.svg)\n").ToString();
    }

    private static string Text(double value) => value.ToString(value < 10 ? "0.000" : "0.00", CultureInfo.InvariantCulture);
}
