namespace MgbaBridge.Gateway.Search;

/// <summary>What vectors compare.</summary>
internal enum LaneKind
{
    Within,
    Less,
    Greater,
}
