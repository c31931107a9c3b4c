namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadScreen
{
    /// <summary>Width and height in pixels.</summary>
    public static (int Width, int Height) Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var width) && values.TryReadInteger(out var height)
            ? ((int)width, (int)height)
            : throw new UnexpectedReplyException(Row);
    }
}
