using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>The query parameters and headers of HTTP requests that no parameter of the operation declares.</summary>
internal static class HttpInputs
{
    /// <summary>A key under which a request runs once.</summary>
    public static Input IdempotencyKey { get; } = new(
        Idempotency.Header, $"A request that is sent again with the same key runs once and gets the same response. 1 to {Idempotency.MaxKey} visible characters, preferably a random UUID.", "6f1c7c0e-5d1b-4b0e-9a52-0c6f3f6d1b11")
    { IsHeader = true };

    /// <summary>The holder of keys, lease or effects.</summary>
    public static Input Holder { get; } = new(
        HolderHeader.Name, $"The holder: {Client.Commands.Holder.ExpectedFormat}. Requests without it share the holder `http`.", "bot-1")
    { IsHeader = true };

    private static readonly Input Known = new("If-None-Match", "The `ETag` of what the caller has; 304 when it is the same.", "\"9f3a01c2-4711\"") { IsHeader = true };

    /// <summary>Those of an operation.</summary>
    public static IEnumerable<Input> Of(OperationDescription description) =>
        [.. description.Inputs, .. description.HasEntityTag ? [Known] : (Input[])[], .. description.HasHolder ? [Holder] : (Input[])[]];
}
