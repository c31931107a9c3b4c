using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using Microsoft.IO;

namespace MgbaBridge.Gateway.Operations;

/// <summary>It was done.</summary>
/// <param name="Frame">The script's frame count when it was done.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
public readonly record struct DoneAnswer(long Frame, Epoch Epoch)
{
    /// <summary>An example, for the reference.</summary>
    internal const string Example = """{"frame":4711,"epoch":"9f3a01c2"}""";

    /// <summary>The response to a command whose reply has no values.</summary>
    internal static DoneAnswer Of<TCommand>(TCommand command, Reply reply)
        where TCommand : struct, ICommand<TCommand> => new(reply.Frame, reply.Epoch);
}

/// <summary>A picture.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">A PNG, in base64.</param>
public readonly record struct PictureAnswer(long Frame, Epoch Epoch, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>How it is written as bytes.</summary>
    internal static BytesOf<PictureAnswer> AsBytes { get; } = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), "image/png");
}

/// <summary>A text.</summary>
/// <param name="Text">The text.</param>
public sealed record TextAnswer(string Text)
{
    /// <summary>How it is written as bytes.</summary>
    internal static BytesOf<TextAnswer> AsBytes { get; } = new(static answer => new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(answer.Text)), "text/plain; charset=utf-8");
}

/// <summary>The content of a file, in a pooled stream until it has been sent.</summary>
/// <param name="content">The content.</param>
public sealed class FileAnswer(RecyclableMemoryStream content) : IDisposable
{
    /// <summary>The content, in base64.</summary>
    public byte[] Bytes => content.ToArray();

    /// <summary>How it is written as bytes.</summary>
    internal static BytesOf<FileAnswer> AsBytes(string mediaType) => new(static answer => answer.Content, mediaType);

    private ReadOnlySequence<byte> Content => content.GetReadOnlySequence();

    public void Dispose() => content.Dispose();
}

/// <summary>The JSON that all resources have.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(DoneAnswer))]
[JsonSerializable(typeof(PictureAnswer))]
[JsonSerializable(typeof(TextAnswer))]
[JsonSerializable(typeof(FileAnswer))]
internal sealed partial class CommonJson : JsonSerializerContext
{
    private static readonly Type[] Types = [typeof(DoneAnswer), typeof(PictureAnswer), typeof(TextAnswer), typeof(FileAnswer)];

    /// <summary>The context of a type: this one, or that of a resource.</summary>
    public static JsonSerializerContext Or(JsonSerializerContext resource, Type type) => Types.Contains(type) ? Default : resource;
}
