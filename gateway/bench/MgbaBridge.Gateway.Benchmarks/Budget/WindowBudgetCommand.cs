using System.Text.Json;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Budget;

/// <summary>`budget-window`: the same table and picture of what lua/test-gui/budget.py measured in the real window.</summary>
internal static class WindowBudgetCommand
{
    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var (file, folder, note) = (options.Text("measured"), options.Text("folder"), options.Text("note", ""));
        options.MustBeEmpty();
        var budget = JsonSerializer.Deserialize<WindowBudget>(File.ReadAllText(file), WireCommand.Json) ?? throw new WireException($"{file} has no budget");
        BudgetReport.Write(folder, "budget-window", note, budget.Words, budget.About, budget.Rows);
        return 0;
    }
}
