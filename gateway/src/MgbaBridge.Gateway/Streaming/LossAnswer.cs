namespace MgbaBridge.Gateway.Streaming;

/// <summary>Events that are lost.</summary>
/// <param name="Lost">How many.</param>
public readonly record struct LossAnswer(long Lost);
