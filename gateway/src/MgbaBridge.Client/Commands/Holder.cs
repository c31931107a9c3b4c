using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;

namespace MgbaBridge.Client.Commands;

/// <summary>Whose a key level, a lease or a watch is.</summary>
public sealed class Holder
{
    private static readonly SearchValues<char> Allowed =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-");

    private readonly byte[] _utf8;

    private Holder(string name)
    {
        Name = name;
        _utf8 = Encoding.ASCII.GetBytes(name);
    }

    /// <summary>The holder of everything that the compatible paths press.</summary>
    public static Holder Compat { get; } = new("compat");

    /// <summary>The holder of what callers of <c>/v2</c> do who name none.</summary>
    public static Holder Http { get; } = new("http");

    /// <summary>The holder of the lease of a game whose host gives it back: from its last state on nothing may change it.</summary>
    public static Holder Drain { get; } = new("mgba-bridge.drain");

    /// <summary>What a name has to be.</summary>
    public static string ExpectedFormat { get; } = $"1 to {Limits.Holder} of A-Z a-z 0-9 _ . : -";

    /// <summary>The name.</summary>
    public string Name { get; }

    /// <summary>The name in wire format.</summary>
    public ReadOnlySpan<byte> Utf8 => _utf8;

    /// <summary>A name that nobody else has, with this beginning.</summary>
    public static Holder Unique(string prefix) => new($"{prefix}-{RandomNumberGenerator.GetHexString(16, lowercase: true)}");

    /// <summary>Makes a holder from text that a caller sent.</summary>
    public static bool TryCreate(string? name, [NotNullWhen(true)] out Holder? holder)
    {
        var valid = name is { Length: > 0 and <= Limits.Holder } && !name.AsSpan().ContainsAnyExcept(Allowed);
        holder = valid ? new Holder(name!) : null;
        return valid;
    }
}
