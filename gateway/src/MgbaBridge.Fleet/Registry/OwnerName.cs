namespace MgbaBridge.Fleet.Registry;

/// <summary>The names of owners of sessions, which are also parts of names and arguments of an engine's jobs.</summary>
public static class OwnerName
{
    /// <summary>What is accepted.</summary>
    public const string ExpectedFormat = "1 to 24 characters of a-z, 0-9 and hyphen";

    /// <summary>The longest: an id of a session, of 32 characters, begins with it.</summary>
    public const int MaxLength = 24;

    /// <summary>Whether an owner may have this name.</summary>
    public static bool IsValid(string name) => name.Length is > 0 and <= MaxLength && name.All(static letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter) || letter == '-');
}
