using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.BizHawk;

/// <summary>One request of a line.</summary>
/// <param name="Type">Its type, such as <c>READ</c>.</param>
/// <param name="Problem">What is wrong with it; null when nothing is.</param>
internal sealed record BizHawkRequest(string Type, string? Problem = null)
{
    private const int MaxRequests = 4_096;
    private const int MaxBytes = 1_048_576;

    /// <summary>The memory's name.</summary>
    public string Domain { get; private init; } = "";

    /// <summary>Where in it.</summary>
    public long Address { get; private init; }

    /// <summary>How many bytes are read.</summary>
    public int Size { get; private init; }

    /// <summary>The bytes that are written or expected.</summary>
    public byte[] Data { get; private init; } = [];

    /// <summary>The text of a message.</summary>
    public string Message { get; private init; } = "";

    /// <summary>Reads a line: a list of requests.</summary>
    /// <exception cref="JsonException">It is not a list of objects with a type.</exception>
    public static IReadOnlyList<BizHawkRequest> ReadLine(ReadOnlyMemory<byte> line)
    {
        using var document = JsonDocument.Parse(line, new JsonDocumentOptions { MaxDepth = 8 });
        if (document.RootElement.ValueKind != JsonValueKind.Array || document.RootElement.GetArrayLength() > MaxRequests)
        {
            throw new JsonException($"expected a list of up to {MaxRequests} requests");
        }

        try
        {
            BizHawkRequest[] requests = [.. document.RootElement.EnumerateArray().Select(Read)];
            return requests.Sum(request => (long)request.Size) <= MaxBytes ? requests : throw new JsonException($"the reads of a line have at most {MaxBytes} bytes together");
        }
        catch (InvalidOperationException exception)
        {
            throw new JsonException("a text has an invalid escape", exception);
        }
    }

    private static BizHawkRequest Read(JsonElement request)
    {
        if (request.ValueKind != JsonValueKind.Object || Text(request, "type") is not { } type)
        {
            return new BizHawkRequest("", "expected an object with a \"type\"");
        }

        return type switch
        {
            "READ" => Location(request, type, (address, domain) => Number(request, "size") is >= 0 and <= MaxBytes and var size
                ? new BizHawkRequest(type) { Address = address, Domain = domain, Size = (int)size }
                : new BizHawkRequest(type, $"size must be 0 to {MaxBytes}")),
            "WRITE" => WithData(request, type, "value"),
            "GUARD" => WithData(request, type, "expected_data"),
            "MEMORY_SIZE" => Text(request, "domain") is { } domain ? new BizHawkRequest(type) { Domain = domain } : new BizHawkRequest(type, "domain must be a text"),
            "DISPLAY_MESSAGE" => Text(request, "message") is { } message ? new BizHawkRequest(type) { Message = message } : new BizHawkRequest(type, "message must be a text"),
            "SET_MESSAGE_INTERVAL" => request.TryGetProperty("value", out var value) && value.ValueKind == JsonValueKind.Number
                ? new BizHawkRequest(type)
                : new BizHawkRequest(type, "value must be a number of seconds"),
            "PING" or "SYSTEM" or "PREFERRED_CORES" or "HASH" or "LOCK" or "UNLOCK" => new BizHawkRequest(type),
            _ => new BizHawkRequest(type, $"Unknown command: {type}"),
        };
    }

    private static BizHawkRequest WithData(JsonElement request, string type, string name) => Location(request, type, (address, domain) =>
        request.TryGetProperty(name, out var data) && data.ValueKind == JsonValueKind.String && data.TryGetBytesFromBase64(out var bytes) && bytes.Length <= MaxBytes
            ? new BizHawkRequest(type) { Address = address, Domain = domain, Data = bytes }
            : new BizHawkRequest(type, $"{name} must be base64 of up to {MaxBytes} bytes"));

    private static BizHawkRequest Location(JsonElement request, string type, Func<long, string, BizHawkRequest> make) =>
        Number(request, "address") is not { } address ? new BizHawkRequest(type, "address must be an integer")
        : Text(request, "domain") is not { } domain ? new BizHawkRequest(type, "domain must be a text")
        : make(address, domain);

    private static string? Text(JsonElement request, string name) =>
        request.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    private static long? Number(JsonElement request, string name) =>
        request.TryGetProperty(name, out var value) && Integers.TryRead(value, out var number) ? number : null;
}
