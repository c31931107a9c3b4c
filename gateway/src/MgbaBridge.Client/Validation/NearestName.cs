namespace MgbaBridge.Client.Validation;

/// <summary>Finds the name that was probably meant by a misspelled one.</summary>
internal static class NearestName
{
    /// <summary>The known name with the smallest edit distance, regardless of case.</summary>
    public static string Of(string name, IEnumerable<string> known) => known.MinBy(other => Distance(name.ToUpperInvariant(), other.ToUpperInvariant()))!;

    /// <summary>The same, unless it has nothing to do with the name: more than half of it differs.</summary>
    public static string? Near(string name, IEnumerable<string> known) =>
        Of(name, known) is { } nearest && Distance(name.ToUpperInvariant(), nearest.ToUpperInvariant()) <= Math.Max(2, Math.Max(name.Length, nearest.Length) / 2) ? nearest : null;

    // Levenshtein distance
    private static int Distance(string one, string other)
    {
        var row = Enumerable.Range(0, other.Length + 1).ToArray();
        for (var i = 1; i <= one.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= other.Length; j++)
            {
                (diagonal, row[j]) = (row[j], Math.Min(Math.Min(row[j], row[j - 1]) + 1, diagonal + (one[i - 1] == other[j - 1] ? 0 : 1)));
            }
        }

        return row[^1];
    }
}
