namespace MgbaBridge.Gateway.Benchmarks.Budget;

/// <summary>What was measured in a window.</summary>
/// <param name="About">Of what.</param>
/// <param name="Words">What the columns mean there, and what they cannot tell apart.</param>
/// <param name="Rows">The rows.</param>
internal sealed record WindowBudget(string About, string Words, IReadOnlyList<BudgetRow> Rows);
