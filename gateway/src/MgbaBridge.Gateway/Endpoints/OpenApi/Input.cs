namespace MgbaBridge.Gateway.Endpoints.OpenApi;

/// <summary>A query parameter or a header.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">What it says.</param>
/// <param name="Example">An example.</param>
public sealed record Input(string Name, string Description, string Example)
{
    /// <summary>Whose keys, lease or effects these are.</summary>
    public static Input Holder { get; } = new(
        Callers.HolderHeader, "Who the caller is: 1 to 64 of A-Z a-z 0-9 _ . : -. Callers who say nothing are all one holder, `http`.", "bot-1")
    { IsHeader = true };

    /// <summary>Whether it is a header rather than a query parameter.</summary>
    public bool IsHeader { get; init; }

    /// <summary>Whether it has to be there.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Whether it is a whole number.</summary>
    public bool IsInteger { get; init; }
}
