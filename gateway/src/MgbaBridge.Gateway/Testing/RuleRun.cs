using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Runs a ROM and judges it by a rule.</summary>
/// <param name="program">The emulator.</param>
/// <param name="rule">The rule.</param>
/// <param name="settings">How.</param>
internal sealed class RuleRun(string program, VerdictRule rule, TestSettings settings)
{
    private const int Unfinished = 124;
    private const string Result = "result"; // of registers or words
    private const int MaxLines = 10_000;
    private const int TextSize = 1_024;
    private const int TileSize = 8;
    private const int TileBytes = 16;
    private const long GbTiles = 0x8000;

    /// <summary>Runs it.</summary>
    public async Task<RuleVerdict> RunAsync(string rom, CancellationToken cancelled)
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-test-");
        var lines = new Queue<string>();
        try
        {
            using var process = EmulatorProcess.Start(program, [.. ArgumentsFor(rom, folder.FullName)]);
            try
            {
                var error = process.StandardError.ReadToEndAsync(cancelled);
                while (await process.StandardOutput.ReadLineAsync(cancelled) is { } line)
                {
                    lines.Enqueue(line);
                    if (lines.Count > MaxLines)
                    {
                        lines.Dequeue();
                    }
                }

                await process.WaitForExitAsync(cancelled);
                var end = Path.Combine(folder.FullName, "end.txt");
                var files = new List<(string Name, byte[] Content)>();
                var failure = File.Exists(end) ? Judge(rom, RunReport.Read(end), process.ExitCode, folder.FullName, lines, files)
                    : (await error).Trim() is { Length: > 0 } reason ? reason : string.Create(CultureInfo.InvariantCulture, $"The emulator ended with exit code {process.ExitCode}.");
                settings.Coverage?.Add(rom, null, folder.FullName);
                return new RuleVerdict(failure, lines, files) { Save = SaveFiles.In(folder.FullName) };
            }
            finally
            {
                if (!process.HasExited)
                {
                    process.Kill();
                    await process.WaitForExitAsync(CancellationToken.None);
                }
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private IEnumerable<string> ArgumentsFor(string rom, string folder)
    {
        var places = new[] { rule.Passes?.Places, rule.Fails?.Places, rule.Says?.Places }.SelectMany(static places => places ?? []).Where(static place => place.Register is null)
            .GroupBy(static place => place.Address).Select(static place => RunReport.Wanted(place.Key, place.Max(static each => each.Type.Bytes())));
        var texts = rule.Text is { } text ? [RunReport.Wanted(text, TextSize * rule.TextStep)] : Array.Empty<string>();
        var tiles = rule.Digits is not null ? [RunReport.Wanted(GbTiles, TileBytes * 16)] : Array.Empty<string>();
        return
        [
            "--rom-test", "-l", "15", .. (rule.Options with { Model = RomContent.IsGb(rom) && settings.Machine.Model is { } model ? model : rule.ModelOf(rom), Config = [.. rule.Options.Config ?? [], .. settings.Machine.Config ?? []] }).Arguments, .. SaveFiles.ArgumentsFor(settings.Saves, folder), .. Coverage.ArgumentsFor(settings.Coverage, folder), "--frames", rule.Frames.ToString(CultureInfo.InvariantCulture), "--report", folder,
            .. rule.Keys.Count > 0 ? new[] { "--keys", string.Join(',', rule.Keys.Select(static keys => string.Create(CultureInfo.InvariantCulture, $"{keys.Frame}:{keys.Keys.Mask:x}"))) } : [],
            .. rule.Ends.SelectMany(static end => new[] { "--until", end }), .. rule.Ends.Count == 0 && !RomContent.IsGb(rom) ? new[] { "-R", "r0" } : [],
            .. places.Concat(texts).Concat(tiles).SelectMany(static read => new[] { "--read", read }), "--", rom,
        ];
    }

    // why it has failed; null when it has passed
    private string? Judge(string rom, RunReport report, int code, string folder, IEnumerable<string> lines, List<(string Name, byte[] Content)> files)
    {
        var picture = File.ReadAllBytes(Path.Combine(folder, "picture.png"));
        files.AddRange([("picture.png", picture), ("state.ss", File.ReadAllBytes(Path.Combine(folder, "state.ss")))]);
        if (rule.Keys.Count > 0)
        {
            files.Add(("keys.txt", Encoding.UTF8.GetBytes(string.Concat(rule.KeysUntil(report.Frames).Select(static held => $"{held}\n")))));
        }

        if (code == Unfinished || report.End == "none")
        {
            return string.Create(CultureInfo.InvariantCulture, $"The ROM did not end within {report.Frames} frames: the rule waits for {rule.EndsText}.");
        }

        if (rule.Ends.Count > 0 && !rule.Ends.Contains(report.End))
        {
            return $"The ROM ended by {report.End}: the rule waits for {rule.EndsText}.{Said(report)}";
        }

        if (rule.Ends.Count == 0 && RomContent.IsGb(rom) && report.End != Result)
        {
            return $"The ROM stopped without a result.{Said(report)}"; // a lost one executes anything
        }

        var (passes, fails) = (rule.Passes?.Holds(report), rule.Fails?.Holds(report));
        var text = rule.Text is { } at ? report.TextAt(at, rule.TextStep) : "";
        var (passesText, failsText) = (rule.PassesText?.IsMatch(text), rule.FailsText?.IsMatch(text));
        var (passesLog, failsLog) = (Line(rule.PassesLog, lines), Line(rule.FailsLog, lines));
        return (passes == true || passesText == true || passesLog is not null) && (fails == true || failsText == true || failsLog is not null) ? $"The rule contradicts itself: both passes and fails hold.{Said(report)}"
            : failsLog is not null ? $"{failsLog}.{Said(report)}"
            : rule.PassesLog is not null && passesLog is null ? $"The log has no line with {rule.PassesLog}.{Said(report)}"
            : failsText == true || passesText == false ? (text.Length > 0 ? text : "The ROM has no text.")
            : rule.Ends.Count == 0 && code != 0 ? SelfTestLog.FailureOf(lines) ?? string.Create(CultureInfo.InvariantCulture, $"The ROM ended with exit code {code}.{Said(report)}")
            : fails == true ? $"{rule.Fails} holds: {rule.Fails!.Describe(report)}.{Said(report)}"
            : passes == false ? $"{rule.Passes} does not hold: {rule.Passes!.Describe(report)}.{Said(report)}"
            : rule.Pictures.Count > 0 && PictureProblem(rom, picture, files) is { } different ? $"{different}{Said(report)}"
            : rule.Digits is not null ? DigitsProblem(rom, report, picture)
            : null;
    }

    // what the last line says that it finds, without its category
    private static string? Line(Regex? pattern, IEnumerable<string> lines) =>
        pattern is null ? null : lines.Where(line => pattern.IsMatch(line)).Select(static line => line[(line.IndexOf(": ", StringComparison.Ordinal) + 1)..].Trim()).LastOrDefault();

    private string Said(RunReport report) =>
        string.Concat(new[] { rule.Says?.Of(report), rule.Text is { } text ? report.TextAt(text, rule.TextStep) : null }.Where(static said => !string.IsNullOrEmpty(said)).Select(static said => $" {said}"));

    private string? PictureProblem(string rom, byte[] actual, List<(string Name, byte[] Content)> files)
    {
        if (rule.PictureOf(rom) is not { } path)
        {
            return $"There is no picture to compare with: neither {string.Join(" nor ", rule.PathsOfPictures(rom))}.";
        }

        var expected = File.ReadAllBytes(path);
        var (different, difference, problem) = TestPictures.Compare(expected, actual, null, rule.Comparison);
        if (problem is null && different == 0)
        {
            return null;
        }

        files.Add(("expected.png", expected));
        if (problem is not null)
        {
            return $"{path} {problem}.";
        }

        files.Add(("difference.png", difference));
        return string.Create(CultureInfo.InvariantCulture, $"The picture differs from {path} in {different} pixels.");
    }

    // the digits are drawn with the tiles 0 to 15 of the ROM, black on white
    private string? DigitsProblem(string rom, RunReport report, byte[] actual)
    {
        var digits = rule.Digits!.Match(Path.GetFileNameWithoutExtension(rom)) is { Success: true } match ? match.Groups[1].Value : "";
        if (digits.Length == 0)
        {
            return $"The name of the ROM has no digits that {rule.Digits} finds.";
        }

        if (!PngFile.TryRead(actual, out var picture))
        {
            return "The emulator's picture is no PNG.";
        }

        using (picture)
        {
            var (tiles, rgb) = (report.BytesAt(GbTiles), picture.Rgb.ToArray());
            var shown = string.Concat(Enumerable.Range(0, digits.Length).Select(index => DigitAt(rgb, picture.Width, index, tiles) ?? '?'));
            return shown.Equals(digits, StringComparison.OrdinalIgnoreCase) ? null : $"The picture shows {shown} instead of {digits}.";
        }
    }

    private static char? DigitAt(byte[] rgb, int width, int index, byte[] tiles)
    {
        for (var digit = 0; digit < 16; digit++)
        {
            var tile = tiles.AsSpan(digit * TileBytes, TileBytes);
            if (tile.ContainsAnyExcept((byte)0) && Enumerable.Range(0, TileSize * TileSize).All(pixel => IsDark(pixel) == IsSet(digit, pixel)))
            {
                return "0123456789ABCDEF"[digit];
            }
        }

        return null;

        bool IsDark(int pixel) => rgb[(((pixel / TileSize * width) + (index * TileSize) + (pixel % TileSize)) * Picture.PixelSize) + 1] < 0x80;
        bool IsSet(int digit, int pixel) => (tiles[(digit * TileBytes) + (pixel / TileSize * 2)] & (0x80 >> (pixel % TileSize))) != 0;
    }
}

/// <summary>What a rule says of a ROM.</summary>
/// <param name="Failure">Why it has failed; null when it has passed.</param>
/// <param name="Lines">Its log, the newest lines.</param>
/// <param name="Files">Files about how it ended.</param>
internal sealed record RuleVerdict(string? Failure, IReadOnlyCollection<string> Lines, IReadOnlyList<(string Name, byte[] Content)> Files)
{
    /// <summary>What it has saved; null for nothing.</summary>
    public byte[]? Save { get; init; }
}
