namespace MgbaBridge.Gateway.Protocol;

/// <summary>The kinds of value a reply can carry.</summary>
public enum ValueKind
{
    /// <summary>No value: before the first, after the last, or something that is none.</summary>
    None,
    Integer,
    Boolean,
    Nothing,

    /// <summary>A string in quotes.</summary>
    Text,

    /// <summary>A bare word, such as an error code or a topic.</summary>
    Word,
}
