namespace MgbaBridge.Gateway.Search;

/// <summary>What a pass compares with.</summary>
public enum SearchAgainst
{
    /// <summary>A value.</summary>
    Value,

    /// <summary>What the pass before this one found.</summary>
    Last,

    /// <summary>What the search began with.</summary>
    First,
}
