using System.Globalization;
using System.Text;
using System.Text.Json;

namespace MgbaBridge.Gateway.Benchmarks.FrameBudget;

/// <summary>Frame budgets as a table, a chart and JSON.</summary>
internal static class BudgetReport
{
    private static readonly string[] Parts = ["emulation", "our work", "linger", "sleep"];

    /// <summary>Writes NAME.md, NAME.json and NAME.charts.json.</summary>
    public static void Write(string folder, string name, string note, string explanation, string subtitle, IReadOnlyList<BudgetRow> rows)
    {
        File.WriteAllText(Path.Combine(folder, name + ".md"), Markdown(name, note, explanation, rows));
        File.WriteAllText(Path.Combine(folder, name + ".json"), JsonSerializer.Serialize(new { note, rows }, Format.Json));
        var bars = rows.Select(row => new Bar($"{row.Mode}, {row.Clients}", $"{Text(row.Period)} ms", [row.Emulation, row.Work, row.Linger, row.Sleep])).ToList();
        Charts.Write(folder, name, new StackedBars(name + ".svg", "Where the time of a frame goes", subtitle + "; each bar is one frame", Parts, bars));
    }

    private static string Markdown(string name, string note, string explanation, IReadOnlyList<BudgetRow> rows)
    {
        var text = new StringBuilder("# Where the time of a frame goes\n\n");
        text.Append(CultureInfo.InvariantCulture, $"{DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC. {note}\n\nIn milliseconds. {explanation}\n\n");
        text.Append("| | | fps | frame | emulation | our work | linger | sleep | replies/s |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
        foreach (var row in rows)
        {
            text.Append(CultureInfo.InvariantCulture, $"| {row.Mode} | {row.Clients} | {row.Fps:0.0} | {Text(row.Period)} | {Text(row.Emulation)} | {Text(row.Work)} | {Text(row.Linger)} | {Text(row.Sleep)} | {row.Rate:N0} |\n");
        }

        return text.Append(CultureInfo.InvariantCulture, $"\n![frame budget]({name}.svg)\n").ToString();
    }

    private static string Text(double value) => value.ToString(value < 10 ? "0.000" : "0.00", CultureInfo.InvariantCulture);
}

/// <summary>Where the time of one frame goes; times in milliseconds, rates per second.</summary>
internal sealed record BudgetRow(string Mode, string Clients, double Fps, double Period, double Emulation, double Work, double Linger, double Sleep, double Rate);
