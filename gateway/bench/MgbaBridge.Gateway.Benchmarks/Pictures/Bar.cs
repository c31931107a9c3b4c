namespace MgbaBridge.Gateway.Benchmarks.Pictures;

/// <summary>One bar: its parts, in the order of the legend.</summary>
internal sealed record Bar(string Name, string Total, IReadOnlyList<double> Parts);
