namespace MgbaBridge.Gateway.Benchmarks.Budget;

/// <summary>Where the time of one frame goes, in milliseconds.</summary>
internal sealed record BudgetRow(string Mode, string Clients, double Fps, double Period, double Emulation, double Work, double Linger, double Sleep, double Rate);
