using System.ComponentModel.DataAnnotations;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Gateway.Interfaces.Uat;

/// <summary>The server for trackers that use Universal Auto-Tracking.</summary>
public sealed record UatOptions
{
    /// <summary>Whether the server listens.</summary>
    public bool Enabled { get; set; }

    /// <summary>The port of its WebSocket.</summary>
    [Range(1, 65_535)]
    public int Port { get; set; } = 65_399;

    /// <summary>The port that it takes while the other one is in use, and where trackers look for it then.</summary>
    internal int FallbackPort { get; set; } = 44_444;

    /// <summary>Values that are variables beside the properties of the game: symbols, or locations with a type.</summary>
    [Variables]
    public string[] Variables { get; set; } = [];
}

/// <summary>A list of values of the game.</summary>
internal sealed class VariablesAttribute : SettingAttribute
{
    private const int Max = 1_024;

    public override string Limits => $"up to {Max} names or typed locations";

    public override bool IsValid(object? value) => value is not string[] { Length: > Max };
}
