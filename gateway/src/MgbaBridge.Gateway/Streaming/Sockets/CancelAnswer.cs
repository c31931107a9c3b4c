namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>Whether a request was taken back.</summary>
/// <param name="Cancelled">Whether it was: else there was none with that id that takes frames, or it was over.</param>
public readonly record struct CancelAnswer(bool Cancelled);
