using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>One thing that was read.</summary>
/// <param name="Location">Where.</param>
/// <param name="Value">The number, if a type was given.</param>
/// <param name="Bytes">The bytes in base64, if a length was given.</param>
public readonly record struct ReadAnswer(
    [property: JsonConverter(typeof(LocationConverter))] Location Location, long? Value, ReadOnlyMemory<byte>? Bytes)
{
    /// <summary>The answer made from the bytes of a range.</summary>
    internal static ReadAnswer Of(in MemoryRange range, ReadOnlyMemory<byte> bytes) =>
        range.Type is { } type ? new ReadAnswer(range.Location, type.Read(bytes.Span), null) : new ReadAnswer(range.Location, null, bytes);
}
