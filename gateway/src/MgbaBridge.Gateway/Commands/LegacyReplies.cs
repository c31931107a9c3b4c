using System.Buffers.Text;
using System.Globalization;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Turns an older script's answers into replies. They tell no frame and no epoch, so both are 0.</summary>
public static class LegacyReplies
{
    /// <summary>The reply that this answer is to this form.</summary>
    public static Reply Read(LegacyAnswer form, ReadOnlySpan<byte> answer, int mostBytes)
    {
        if (answer.SequenceEqual("<|ERROR|>"u8))
        {
            return Reply.Failed(new FailureReport(Failure.Rejected, "The script in mGBA, which is of the older mGBA-http kind, answered with an error and no reason.") { Code = "failed" });
        }

        return form switch
        {
            LegacyAnswer.Number => IsNumber(answer) ? Reply.Answered(0, 0, answer, 0) : Unexpected("a number"),
            LegacyAnswer.Hex => Bytes(answer, mostBytes),
            LegacyAnswer.Flag when answer.SequenceEqual("false"u8) => Reply.Failed(new FailureReport(Failure.Rejected, "mGBA refused.") { Code = "failed" }),
            LegacyAnswer.Press => Reply.Answered(0, 0, "down=0 up=0"u8, 0),
            _ => Reply.Answered(0, 0, default, 0),
        };
    }

    /// <summary>Whether it is a whole number and nothing else.</summary>
    public static bool IsNumber(ReadOnlySpan<byte> answer) => Utf8Parser.TryParse(answer, out long _, out var length) && length == answer.Length;

    private static Reply Bytes(ReadOnlySpan<byte> answer, int mostBytes)
    {
        var count = (answer.Length + 1) / 3;
        if (count > mostBytes)
        {
            return Reply.Failed(new FailureReport(Failure.ReplyTooLarge, $"The reply has {count} bytes, more than Bridge:Transport:MaxReplyTail ({mostBytes}). Ask for less at once, or raise it."));
        }

        var reply = Reply.Answered(0, 0, default, count);
        var tail = reply.TailSpace.Span;
        for (var index = 0; index < count; index++)
        {
            var at = answer[(index * 3)..];
            if (at.Length == 1 || (at.Length > 2 && at[2] != ',') || !Utf8Parser.TryParse(at[..2], out byte value, out var length, 'x') || length != 2)
            {
                reply.Dispose();
                return Unexpected("bytes in hex");
            }

            tail[index] = value;
        }

        return reply;
    }

    private static Reply Unexpected(string what) => Reply.Failed(new FailureReport(
        Failure.Rejected, string.Create(CultureInfo.InvariantCulture, $"The script in mGBA, which is of the older mGBA-http kind, answered something else than {what}."))
    { Code = "failed" });
}
