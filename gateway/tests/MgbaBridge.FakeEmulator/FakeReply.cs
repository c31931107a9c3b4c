using System.Globalization;
using System.Text;

namespace MgbaBridge.FakeEmulator;

/// <summary>What the fake answers.</summary>
/// <param name="Body">The text after the epoch: <c>ok 5</c>, <c>error bad-address "…"</c>.</param>
/// <param name="Tail">Raw bytes; null for none.</param>
public sealed record FakeReply(string Body, byte[]? Tail = null)
{
    /// <summary><c>ok</c> with values.</summary>
    public static FakeReply Ok(string values = "") => new($"ok {values}".TrimEnd());

    /// <summary><c>ok</c> with a tail.</summary>
    public static FakeReply Bytes(byte[] tail) => new("ok", tail);

    /// <summary>A refusal.</summary>
    public static FakeReply Refuse(string code, string detail, string values = "") => new($"error {code} \"{detail}\" {values}".TrimEnd());

    /// <summary>The message as bytes.</summary>
    public byte[] ToBytes(long id, long frame, uint epoch)
    {
        var length = Tail is null ? "" : string.Create(CultureInfo.InvariantCulture, $"+{Tail.Length}");
        var head = Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"#{id}{length} {frame} {epoch:x8} {Body}<|END|>"));
        return [.. head, .. Tail ?? []];
    }
}
