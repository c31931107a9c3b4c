namespace MgbaBridge.Client.Commands;

public readonly partial record struct TakeLease
{
    /// <summary>The token for resuming, the limit, the remaining frames of a running step, and the frames until all taps are over.</summary>
    public static (string Token, long LimitMilliseconds, long Running, long Taps) Parse(Reply reply)
    {
        var values = reply.Values;
        var token = values.ReadTo("token"u8) ? values.GetText() : throw new UnexpectedReplyException(Row);
        var limit = values.ReadTo("limit"u8) ? values.Integer : throw new UnexpectedReplyException(Row);
        return (token, limit, values.ReadTo("running"u8) ? values.Integer : 0, values.ReadTo("taps"u8) ? values.Integer : 0);
    }
}

public readonly partial record struct ReleaseLease
{
    /// <summary>Whether there was one.</summary>
    public static bool Parse(Reply reply)
    {
        var values = reply.Values;
        return values.Read() ? values.Boolean : throw new UnexpectedReplyException(Row);
    }
}

public readonly partial record struct AttachLease
{
    /// <summary>How many bytes a step reads.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.ReadTo("size"u8) ? values.Integer : throw new UnexpectedReplyException(Row);
    }
}
