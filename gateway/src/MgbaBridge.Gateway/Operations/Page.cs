namespace MgbaBridge.Gateway.Operations;

/// <summary>The requested part of a list: <c>?offset=200&amp;limit=100</c>.</summary>
/// <param name="Offset">How many to leave out.</param>
/// <param name="Limit">The most to answer.</param>
internal readonly record struct Page(int Offset, int Limit)
{
    private const int Default = 100;

    /// <summary>The first one, as long as usual.</summary>
    public static Page First { get; } = new(0, Default);

    /// <summary>The parameter of how many to leave out.</summary>
    public static Parameter<int> OffsetParameter { get; } = Parameter.Integer("offset", 0, int.MaxValue, "How many to leave out.").Or(0);

    /// <summary>The parameter of the most to answer.</summary>
    public static Parameter<int> LimitParameter(int largest) => Parameter.Integer("limit", 0, largest, "The maximum number in the response.").Or(Default);

    /// <summary>The offset of the next one, or null behind the last.</summary>
    public int? Next(int shown, long all) => (long)Offset + shown < all ? Offset + shown : null;
}
