namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Waiting times of a row, all in milliseconds.</summary>
internal readonly record struct Latency(double P50, double P99, double P999, double Max, double Mean);
