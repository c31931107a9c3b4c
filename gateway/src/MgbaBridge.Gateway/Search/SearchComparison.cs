namespace MgbaBridge.Gateway.Search;

/// <summary>How a pass compares. The last four are about an earlier pass.</summary>
public enum SearchComparison
{
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,

    /// <summary>From one value to another, both included.</summary>
    Between,
    Changed,
    Unchanged,
    Increased,
    Decreased,
}
