namespace MgbaBridge.Gateway.Commands;

/// <summary>A command as mGBA-http says it.</summary>
/// <param name="Message">The message without its end.</param>
/// <param name="Answer">What comes back.</param>
public readonly record struct LegacyForm(string Message, LegacyAnswer Answer);
