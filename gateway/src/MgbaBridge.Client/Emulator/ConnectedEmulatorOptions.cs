using System.Buffers;
using System.ComponentModel.DataAnnotations;
using MgbaBridge.Client.Transport;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Client.Emulator;

/// <summary>One emulator that the gateway controls.</summary>
internal sealed record ConnectedEmulatorOptions
{
    /// <summary>Its name in paths below <c>/i/</c>: 1..32 of <c>[a-z0-9_-]</c>. Default: its place in the list, from 1.</summary>
    [EmulatorId]
    public string? Id { get; set; }

    /// <summary>Where its script listens, default <c>127.0.0.1</c>.</summary>
    [Required]
    public string Host { get; set; } = "127.0.0.1";

    /// <summary>The script's port, 1..65535. Default: the first of 8888..8903 where a script answers.</summary>
    [Range(1, 65_535)]
    public int? Port { get; set; }

    /// <summary>The secret the script was started with (<c>MGBA_BRIDGE_SECRET</c>), at least 16 characters. A script that does not prove that it knows it is refused. Default: none.</summary>
    [ScriptSecret]
    public string? Secret { get; set; }

    /// <summary>The nonce the script was started with (<c>MGBA_BRIDGE_NONCE</c>): any other emulator on the port is refused. Default: any.</summary>
    public string? Nonce { get; set; }

    /// <summary>Where and how to connect.</summary>
    public EmulatorAddress Address => new() { Host = Host, Port = Port, Secret = NullIfEmpty(Secret), Nonce = NullIfEmpty(Nonce) };

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}

/// <summary>The ids that emulators and sessions may have; they are parts of paths.</summary>
public static class EmulatorId
{
    /// <summary>The most characters.</summary>
    public const int MaxLength = 32;

    private static readonly SearchValues<char> Allowed = SearchValues.Create("abcdefghijklmnopqrstuvwxyz0123456789_-");

    /// <summary>What an id has to be.</summary>
    public static string ExpectedFormat { get; } = $"1 to {MaxLength} characters of a-z, 0-9, _ and -";

    /// <summary>Whether it is one.</summary>
    public static bool IsValid(string id) => id.Length is > 0 and <= MaxLength && !id.AsSpan().ContainsAnyExcept(Allowed);
}

/// <summary>Accepts ids.</summary>
internal sealed class EmulatorIdAttribute : SettingAttribute
{
    public override string Limits => EmulatorId.ExpectedFormat;

    public override bool IsValid(object? value) => value is not string id || EmulatorId.IsValid(id);
}

/// <summary>Accepts secrets that are long enough.</summary>
internal sealed class ScriptSecretAttribute : SettingAttribute
{
    public override string Limits => $"at least {SecretProof.ShortestSecret} characters; openssl rand -hex 32 makes a secret";

    public override bool IsSecret => true;

    public override bool IsValid(object? value) => value is not string { Length: > 0 } secret || secret.EnumerateRunes().Count() >= SecretProof.ShortestSecret;
}
