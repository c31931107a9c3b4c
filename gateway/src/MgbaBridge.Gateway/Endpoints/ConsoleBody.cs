using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A line for mGBA's Scripting window.</summary>
public sealed record ConsoleBody
{
    /// <summary>The line.</summary>
    public required string Text { get; init; }

    /// <summary>How it is shown: `log` unless given, `warn` or `error`.</summary>
    public ConsoleLevel Level { get; init; }
}
