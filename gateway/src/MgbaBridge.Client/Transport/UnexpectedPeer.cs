using System.Buffers;
using System.Text;

namespace MgbaBridge.Client.Transport;

/// <summary>Tells from the first bytes on a connection that it is not our script's.</summary>
internal static class UnexpectedPeer
{
    /// <summary>How many bytes of what the peer sent an error message quotes, at most.</summary>
    public const int MaxQuote = 60;

    /// <summary>Throws if the first bytes are not a message of the protocol. Too few bytes for a decision are accepted.</summary>
    public static void Check(in ReadOnlySequence<byte> received, string address)
    {
        Span<byte> first = stackalloc byte[MaxQuote];
        var length = (int)Math.Min(received.Length, MaxQuote);
        received.Slice(0, length).CopyTo(first);
        ReadOnlySpan<byte> start = first[..length].TrimStart(" \t\r\n"u8);
        if (start.IsEmpty || start[0] is (byte)'#' or (byte)'!' || start.SequenceEqual("<"u8))
        {
            return;
        }

        throw new BrokenStreamException(start.StartsWith("<|"u8)
            ? FailureText.OtherScript(address)
            : FailureText.NotOurs(address, Quote(start)));
    }

    /// <summary>The beginning of what was received, fit to print.</summary>
    public static string Quote(ReadOnlySpan<byte> text)
    {
        var quoted = new StringBuilder("\"");
        foreach (var letter in text[..Math.Min(text.Length, MaxQuote)])
        {
            quoted.Append(letter is >= 0x20 and < 0x7F ? (char)letter : '.');
        }

        return quoted.Append(text.Length >= MaxQuote ? "…\"" : "\"").ToString();
    }
}
