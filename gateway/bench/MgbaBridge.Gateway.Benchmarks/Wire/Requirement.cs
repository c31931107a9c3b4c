namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One thing asked for and what was found. Nothing in <c>IsMet</c>: not measured in this run.</summary>
internal sealed record Requirement(string What, string AtLeast, string Baseline, string Ours, string Ratio, bool? IsMet, string Fps);
