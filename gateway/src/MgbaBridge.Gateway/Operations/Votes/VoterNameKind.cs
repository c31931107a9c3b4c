using System.Globalization;
using System.Text;

namespace MgbaBridge.Gateway.Operations.Votes;

/// <summary>Names of voters, without the spaces around them. No two differ only in characters that nobody sees, and each can be a part of a path.</summary>
internal sealed class VoterNameKind : WrittenKind<string>
{
    /// <summary>The most characters.</summary>
    public const int MaxLength = 64;

    // how HTTP has a slash within a part of a path: routing decodes all but this
    private const string EncodedSlash = "%2F";

    /// <summary>The only one.</summary>
    public static VoterNameKind Instance { get; } = new();

    public override ParameterShape Shape { get; } = new("string", $"a name of 1 to {MaxLength} characters, none of them / or a control or invisible character, and not . or ..") { MinLength = 1, MaxLength = MaxLength };

    internal override bool TryParse(string text, out string value)
    {
        value = text.Trim();
        return value is not ("" or "." or "..") && value.Length <= MaxLength && !value.Contains('/', StringComparison.Ordinal) && !value.Contains(EncodedSlash, StringComparison.OrdinalIgnoreCase)
            && value.EnumerateRunes().All(static rune => Rune.GetUnicodeCategory(rune) is not (UnicodeCategory.Control or UnicodeCategory.Format));
    }
}
