using System.Security.Cryptography;
using System.Text;

namespace MgbaBridge.Gateway.Security;

/// <summary>The tokens that are valid now. They can be changed while the gateway runs.</summary>
internal sealed class CredentialStore
{
    private const int MaxEnded = 100;

    private readonly Queue<Credential> _ended = new();
    private readonly Lock _gate = new();
    private volatile State _state;

    /// <summary>Makes it with the tokens of the settings.</summary>
    public CredentialStore(string? ownerToken, IEnumerable<string> tokens) => _state = new State(Read(ownerToken, tokens), [], Credential.Local());

    /// <summary>Whether callers need a token: the settings have one.</summary>
    public bool HasTokens => _state.Tokens.Length > 0;

    /// <summary>The callers of this machine while no token is set; null when callers need a token.</summary>
    public Credential? Local => _state is { Tokens.Length: 0 } state ? state.Local : null;

    /// <summary>The credential of a token, or null if it is not valid. All are compared, however early one matches.</summary>
    public Credential? Find(ReadOnlySpan<char> token)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Encoding.UTF8.GetBytes(token.ToString()), hash);
        Credential? found = null;
        var state = _state;
        foreach (var credential in state.Tokens)
        {
            found = credential.Has(hash) ? credential : found;
        }

        foreach (var credential in state.Guests)
        {
            found = credential.Has(hash) ? credential : found;
        }

        return found;
    }

    /// <summary>Whether a token is that of a guest and no longer valid.</summary>
    public bool HasEnded(string token)
    {
        var hash = Credential.HashOf(token);
        lock (_gate)
        {
            return _ended.Any(credential => credential.Has(hash));
        }
    }

    /// <summary>Takes over other tokens. Those that are in both lists stay valid without interruption; what is open for the others ends.</summary>
    public void Change(string? ownerToken, IEnumerable<string> tokens)
    {
        lock (_gate)
        {
            var before = _state;
            Credential[] next = [.. Read(ownerToken, tokens).Select(credential => before.Tokens.FirstOrDefault(credential.IsSameAs) ?? credential)];
            var isLocal = before.Tokens.Length == 0;
            _state = before with { Tokens = next, Local = isLocal && next.Length > 0 ? Credential.Local() : before.Local };
            foreach (var credential in before.Tokens.Except(next))
            {
                credential.Revoke();
            }

            if (isLocal && next.Length > 0)
            {
                before.Local.Revoke();
            }
        }
    }

    /// <summary>Takes over other tokens of guests, which are valid beside those of the settings. What is open for those that are gone ends.</summary>
    /// <param name="guests">Those that are valid.</param>
    /// <param name="ended">Those that are not any more; a few are remembered.</param>
    public void ChangeGuests(IEnumerable<Credential> guests, IEnumerable<Credential> ended)
    {
        lock (_gate)
        {
            var before = _state;
            _state = before with { Guests = [.. guests] };
            foreach (var credential in ended)
            {
                _ended.Enqueue(credential);
                if (_ended.Count > MaxEnded)
                {
                    _ended.Dequeue();
                }
            }

            foreach (var credential in before.Guests.Except(_state.Guests))
            {
                credential.Revoke();
            }
        }
    }

    private static Credential[] Read(string? ownerToken, IEnumerable<string> tokens)
    {
        var read = tokens.Select(token => Credential.TryParse(token, out var credential) ? credential : throw new ArgumentException($"A token is {Credential.Format}.", nameof(tokens)));
        return string.IsNullOrEmpty(ownerToken) ? [.. read] : [Credential.OfToken(ownerToken), .. read];
    }

    private sealed record State(Credential[] Tokens, Credential[] Guests, Credential Local);
}
