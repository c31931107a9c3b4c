namespace MgbaBridge.Gateway.Compatibility;

/// <summary>A parameter in the query of a compatible path.</summary>
/// <param name="type">Its type as mGBA-http's messages name it.</param>
/// <param name="name">Its name, in any case.</param>
internal abstract class Parameter(string type, string name)
{
    /// <summary>Its type as mGBA-http's messages name it.</summary>
    public string Type { get; } = type;

    /// <summary>Its name.</summary>
    public string Name { get; } = name;

    /// <summary>What it means, for people.</summary>
    public required string Description { get; init; }

    /// <summary>A value that it may have.</summary>
    public required string Example { get; init; }

    /// <summary>Whether it may be left away.</summary>
    public virtual bool IsRequired => true;
}

/// <summary>A parameter with values of one kind.</summary>
internal abstract class Parameter<T>(string type, string name) : Parameter(type, name)
{
    /// <summary>Reads it, or notes in <paramref name="binding"/> what is wrong.</summary>
    public abstract T Bind(ref Binding binding);
}
