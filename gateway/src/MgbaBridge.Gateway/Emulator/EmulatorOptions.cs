using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>One emulator the gateway drives.</summary>
public sealed record EmulatorOptions
{
    /// <summary>Its name in paths below <c>/i/</c>: 1..32 of <c>[a-z0-9_-]</c>. Default: its place in the list, from 1.</summary>
    public string? Id { get; set; }

    /// <summary>Where its script listens, default <c>127.0.0.1</c>.</summary>
    public string Host { get; set; } = "127.0.0.1";

    /// <summary>The script's port, 1..65535. Default: the first of 8888..8903 where a script answers.</summary>
    public int? Port { get; set; }

    /// <summary>The secret the script was started with (<c>MGBA_BRIDGE_SECRET</c>), at least 16 characters. A script that does not prove that it knows it is refused. Default: none.</summary>
    public string? Secret { get; set; }

    /// <summary>The nonce the script was started with (<c>MGBA_BRIDGE_NONCE</c>): any other emulator on the port is refused. Default: any.</summary>
    public string? Nonce { get; set; }

    /// <summary>Where and how to connect.</summary>
    public EmulatorAddress Address => new() { Host = Host, Port = Port, Secret = NullIfEmpty(Secret), Nonce = NullIfEmpty(Nonce) };

    /// <summary>What is wrong with these settings, a sentence each.</summary>
    public IEnumerable<string> Validate()
    {
        if (Id is not null && (Id.Length is 0 or > 32 || Id.Any(letter => !char.IsAsciiLetterLower(letter) && !char.IsAsciiDigit(letter) && letter is not ('_' or '-'))))
        {
            yield return "Id has to be 1..32 of a..z, 0..9, _ and -.";
        }

        if (string.IsNullOrWhiteSpace(Host))
        {
            yield return "Host has to be a name or an address.";
        }

        if (Port is < 1 or > 65535)
        {
            yield return "Port has to be 1..65535; leave it away to look for the script on 8888..8903.";
        }

        if (NullIfEmpty(Secret) is { } secret && secret.EnumerateRunes().Count() < SecretProof.ShortestSecret)
        {
            yield return $"Secret needs at least {SecretProof.ShortestSecret} characters, for example what `openssl rand -hex 32` prints.";
        }
    }

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
