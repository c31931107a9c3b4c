namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The run cannot go on, for a reason that one sentence says.</summary>
internal sealed class WireException(string message) : Exception(message);
