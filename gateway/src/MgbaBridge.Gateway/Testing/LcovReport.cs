using System.Globalization;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Writes what was executed as LCOV's tracefile, which editors, genhtml and services for coverage read.</summary>
internal static class LcovReport
{
    /// <summary>Writes it.</summary>
    public static void Write(TextWriter text, Coverage coverage)
    {
        Line(text, $"TN:");
        foreach (var (path, file) in coverage.Files)
        {
            Line(text, $"SF:{path}");
            foreach (var (name, (line, _)) in file.Functions)
            {
                Line(text, $"FN:{line},{name}");
            }

            foreach (var (name, (_, count)) in file.Functions)
            {
                Line(text, $"FNDA:{count},{name}");
            }

            Line(text, $"FNF:{file.Functions.Count}");
            Line(text, $"FNH:{file.Functions.Count(static function => function.Value.Count > 0)}");
            foreach (var (line, count) in file.Lines)
            {
                Line(text, $"DA:{line},{count}");
            }

            Line(text, $"LF:{file.Lines.Count}");
            Line(text, $"LH:{file.Lines.Count(static line => line.Value > 0)}");
            Line(text, $"end_of_record");
        }
    }

    private static void Line(TextWriter text, FormattableString line) => text.Write($"{line.ToString(CultureInfo.InvariantCulture)}\n");
}
