namespace MgbaBridge.Gateway.Transport;

/// <summary>Something the script said unasked.</summary>
/// <param name="Number">The script's count of events.</param>
/// <param name="Frame">The frame it happened in.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="Topic">What it is about, such as <c>game.closed</c>.</param>
/// <param name="Values">Its values as they stand on the wire.</param>
/// <param name="Tail">Its raw bytes; empty if none.</param>
public sealed record Announcement(long Number, long Frame, uint Epoch, string Topic, ReadOnlyMemory<byte> Values, ReadOnlyMemory<byte> Tail);
