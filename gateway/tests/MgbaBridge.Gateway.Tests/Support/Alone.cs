namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Tests that measure something of the whole process, such as its allocations, or how fast it responds: they run while no other test does.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
