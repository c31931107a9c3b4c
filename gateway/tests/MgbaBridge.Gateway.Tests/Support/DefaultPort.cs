namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Tests whose gateways take the port that is the default, or the first free one behind it: one after the other, beside all other tests.</summary>
[CollectionDefinition(nameof(DefaultPort))]
public sealed class DefaultPort;
