namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Tests that measure the whole process run while no other test does.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
