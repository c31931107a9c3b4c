using System.ComponentModel.DataAnnotations;
using MgbaBridge.Client.Validation;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>What agents that play through MCP may take.</summary>
public sealed record McpOptions
{
    /// <summary>Whether <c>/mcp</c> is served.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Sessions open at once. Beyond, the one that is unused for longest and has no open stream makes room; if each has one: 429.</summary>
    [Range(1, 1_000)]
    public int MaxSessions { get; set; } = 32;

    /// <summary>A folder into which each agent's run is written: calls, and milestones of the game's pack. <c>mgba-bridge score</c> reads the files. Default: none.</summary>
    [ExistingFolder]
    public string? RunFolder { get; set; }

    /// <summary>How long a session without an open stream and without a request is kept: an agent may think for minutes.</summary>
    internal TimeSpan SessionTimeout { get; set; } = TimeSpan.FromMinutes(30);

    /// <summary>Calls of tools that one agent may have under way, as many as a model makes at once. Beyond, a call gets an error.</summary>
    internal int MaxCalls { get; set; } = 8;

    /// <summary>Bytes of a result that are aimed at. A picture that would be larger is shown smaller or left out, and lists are cut.</summary>
    [ByteRange(4_096, 1_048_576)]
    public int ResponseBudget { get; set; } = 24_576;
}
