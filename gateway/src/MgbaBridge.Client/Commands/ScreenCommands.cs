namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadScreen
{
    /// <summary>Width and height in pixels.</summary>
    public static (int Width, int Height) Parse(Reply reply) => PictureSize.Parse(reply, Row);
}

public readonly partial record struct ReadPixels
{
    /// <summary>Width and height in pixels.</summary>
    public static (int Width, int Height) Parse(Reply reply) => PictureSize.Parse(reply, Row);
}

/// <summary>The size in the reply to a command that takes the picture.</summary>
internal static class PictureSize
{
    /// <summary>Width and height in pixels.</summary>
    public static (int Width, int Height) Parse(Reply reply, CommandDescriptor row)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var width) && values.TryReadInteger(out var height)
            ? ((int)width, (int)height)
            : throw new UnexpectedReplyException(row);
    }
}
