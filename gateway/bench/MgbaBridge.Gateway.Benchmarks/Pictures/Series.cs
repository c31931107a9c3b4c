namespace MgbaBridge.Gateway.Benchmarks.Pictures;

/// <summary>One line of a chart.</summary>
internal sealed record Series(string Name, IReadOnlyList<(double X, double Y)> Points);
