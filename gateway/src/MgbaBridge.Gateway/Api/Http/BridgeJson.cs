using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Api.Json;

namespace MgbaBridge.Gateway.Api.Http;

/// <summary>The JSON that several resources share. Source-generated: no reflection, little allocation.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(DoneAnswer))]
[JsonSerializable(typeof(Problem))]
public sealed partial class BridgeJson : JsonSerializerContext;

/// <summary>It was done.</summary>
/// <param name="Frame">The script's frame count when it was done.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
public readonly record struct DoneAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch)
{
    /// <summary>An example, for the document.</summary>
    internal const string Example = """{"frame":4711,"epoch":"9f3a01c2"}""";

    /// <summary>The response to a command whose reply has no values.</summary>
    internal static DoneAnswer Of<TCommand>(TCommand command, Reply reply)
        where TCommand : struct, ICommand<TCommand> => new(reply.Frame, reply.Epoch);
}

/// <summary>A response that HTTP sends as bytes of a media type.</summary>
public interface IBytesAnswer
{
    /// <summary>The bytes.</summary>
    ReadOnlyMemory<byte> Bytes { get; }

    /// <summary>What identifies these bytes, for HTTP callers that may have them; null for nothing.</summary>
    string? EntityTag => null;
}

/// <summary>A picture.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">A PNG, in base64.</param>
public readonly record struct PictureAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, ReadOnlyMemory<byte> Bytes) : IBytesAnswer
{
    /// <summary>The media type.</summary>
    internal const string Png = "image/png";
}
