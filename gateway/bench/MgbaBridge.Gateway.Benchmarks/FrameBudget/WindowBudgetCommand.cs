using System.Text.Json;

namespace MgbaBridge.Gateway.Benchmarks.FrameBudget;

/// <summary>`budget-window`: the same report from what lua/test-gui/budget.py measured in mgba-qt.</summary>
internal static class WindowBudgetCommand
{
    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var (file, folder, note) = (options.Text("measured"), options.Text("folder"), options.Text("note", ""));
        options.MustBeEmpty();
        var budget = JsonSerializer.Deserialize<WindowBudget>(File.ReadAllText(file), Format.Json) ?? throw new MeasurementException($"{file} contains no frame budget");
        BudgetReport.Write(folder, "budget-window", note, budget.Words, budget.About, budget.Rows);
        return 0;
    }
}

/// <summary>A measurement in mgba-qt.</summary>
/// <param name="About">What was measured.</param>
/// <param name="Words">What the columns mean there, and what they cannot distinguish.</param>
/// <param name="Rows">The rows.</param>
internal sealed record WindowBudget(string About, string Words, IReadOnlyList<BudgetRow> Rows);
