using MgbaBridge.Gateway.Endpoints.Conventions;

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

    /// <summary>A key under which a request runs once.</summary>
    public static Input IdempotencyKey { get; } = new(
        Idempotency.Header, "Sent again under the same key, the request runs once and is answered alike. 1 to 255 visible characters, best a random UUID.", "6f1c7c0e-5d1b-4b0e-9a52-0c6f3f6d1b11")
    { IsHeader = true };

    /// <summary>Whether it is a header rather than a query parameter.</summary>
    public bool IsHeader { get; init; }

    /// <summary>Whether it has to be there.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Whether it is a whole number.</summary>
    public bool IsInteger { get; init; }
}
