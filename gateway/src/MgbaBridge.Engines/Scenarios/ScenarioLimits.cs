namespace MgbaBridge.Engines.Scenarios;

/// <summary>The limits of scenarios. docs/settings.md lists them.</summary>
internal static class ScenarioLimits
{
    /// <summary>How many scenarios are kept.</summary>
    public const int Kept = 256;

    /// <summary>The most bytes of a document.</summary>
    public const int Document = 262_144;

    /// <summary>The most variables.</summary>
    public const int Variables = 256;

    /// <summary>The most characters of the name of a variable or a node.</summary>
    public const int Name = 200;

    /// <summary>The most terms of the reward, and conditions and nodes of the end.</summary>
    public const int Terms = 1_024;

    /// <summary>How many levels of nodes the end has at most.</summary>
    public const int Nodes = 16;

    /// <summary>The most groups of actions.</summary>
    public const int Groups = 16;

    /// <summary>The most combinations of a group: all of ten keys.</summary>
    public const int Combinations = 1_024;

    /// <summary>How many levels of JSON a document has at most.</summary>
    public const int Depth = 64;
}
