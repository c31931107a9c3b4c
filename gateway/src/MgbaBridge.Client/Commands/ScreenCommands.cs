namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadScreen
{
    /// <summary>The size of the picture, and which one of its frame it is.</summary>
    public static PictureFacts Parse(Reply reply) => PictureFacts.Parse(reply, Row);
}

public readonly partial record struct ReadPixels
{
    /// <summary>The size of the picture, and which one of its frame it is.</summary>
    public static PictureFacts Parse(Reply reply) => PictureFacts.Parse(reply, Row);
}

/// <summary>What the reply to a command that takes the picture says about it.</summary>
/// <param name="Width">How many pixels a row has.</param>
/// <param name="Height">How many rows there are.</param>
/// <param name="Loads">How often a state was loaded or the game was reset before: pictures of one frame are equal while this is.</param>
public readonly record struct PictureFacts(int Width, int Height, long Loads)
{
    /// <summary>Reads them.</summary>
    internal static PictureFacts Parse(Reply reply, CommandDescriptor row)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var width) && values.TryReadInteger(out var height)
            ? new PictureFacts((int)width, (int)height, values.TryReadInteger(out var loads) ? loads : 0) // an mGBA-http script has no loads
            : throw new UnexpectedReplyException(row);
    }
}
