using System.Buffers.Binary;
using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>A folder in the layout of mGBA's picture tests: <c>test.*</c> with the pictures <c>baseline_0000.png</c> and so on, and <c>config.ini</c> here and in the folders above.</summary>
internal static class CinemaFolder
{
    private const string Expected = "baseline_";
    private const string Known = "xbaseline_";
    private const string Settings = "config.ini";
    private const string TestSection = "testinfo";
    private const string CoreSection = "ports.cinema";
    private const string VideoLog = ".mvl";
    private const int GameBoy = 1;
    private const long MaxFileBytes = 65_536;

    private static readonly PictureComparison Exact = new();
    private static readonly string[] Endings = [".gb", ".gbc", ".gba", VideoLog];

    /// <summary>Whether a file is a picture of such a folder.</summary>
    public static bool IsPicture(string name) => name is $"{Expected}0000.png" or $"{Known}0000.png";

    /// <summary>Its test; null when its settings say that it is ignored.</summary>
    /// <exception cref="TestFileException">It is wrong.</exception>
    public static TestFile? Read(string folder)
    {
        var settings = SettingsOf(folder);
        if (Number(settings, folder, "ignore", 0) > 0)
        {
            return null;
        }

        if (Number(settings, folder, "video", 0) > 0)
        {
            throw new TestFileException($"{folder}: video=1 in {Settings}; only tests with pictures are supported.");
        }

        var rom = Array.Find(Directory.GetFiles(folder, "test.*"), static file => Endings.Contains(Path.GetExtension(file), StringComparer.OrdinalIgnoreCase))
            ?? throw new TestFileException($"{folder} has no test{string.Join(", test", Endings)}.");
        var fails = Number(settings, folder, "fail", 0) > 0;
        var pictures = Enumerable.Range(0, int.MaxValue).Select(index => Picture(folder, fails, index)).TakeWhile(static picture => picture is not null).ToList();
        var frames = Number(settings, folder, "frames", pictures.Count);
        if (frames != pictures.Count)
        {
            throw new TestFileException(string.Create(CultureInfo.InvariantCulture, $"{folder} has {pictures.Count} pictures, but frames={frames}."));
        }

        var steps = new List<TestStep>();
        var skipped = Number(settings, folder, "skip", 0);
        if (IsGameBoyLog(rom))
        {
            steps.Add(new WaitStep(1, 1)); // it begins within a frame
        }

        if (skipped > 1)
        {
            steps.Add(new WaitStep(1, skipped - 1));
        }

        var input = InputOf(settings, folder);
        foreach (var (index, picture) in pictures.Index())
        {
            steps.AddRange(input.TryGetValue(index, out var keys) ? [new ReleaseStep(1, new KeySet(KeySet.All)), new HoldStep(1, keys)] : []);
            steps.AddRange(index > 0 || skipped > 0 ? [new WaitStep(1, 1)] : []); // a test begins behind the first frame
            steps.Add(new PictureStep(1, picture!, null, 0, Exact));
        }

        return new TestFile(folder, rom, [new GameTest(new TestId(folder, 1, Path.GetFileName(folder), 1), TestFileReader.MaxFrames, fails && !pictures.Any(static picture => Path.GetFileName(picture)!.StartsWith(Known, StringComparison.Ordinal)), steps)])
        {
            Options = new EmulatorOptions { Config = [.. settings.Where(static setting => setting.Key.Section == CoreSection).Select(static setting => $"{setting.Key.Name}={setting.Value}")] },
            IsSingle = true,
        };
    }

    // a test that fails may have pictures of how it does, which count beside those that are expected
    private static string? Picture(string folder, bool fails, int index)
    {
        var (expected, known) = (PathOf(Expected), PathOf(Known));
        return (File.Exists(expected), fails && File.Exists(known)) switch
        {
            (true, true) => known,
            (false, false) => null,
            _ => expected,
        };

        string PathOf(string kind) => Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"{kind}{index:0000}.png"));
    }

    // a log of what the picture unit was sent: magic, 4 unused bytes, the console
    private static bool IsGameBoyLog(string path)
    {
        if (!path.EndsWith(VideoLog, StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        Span<byte> header = stackalloc byte[12];
        using var file = File.OpenRead(path);
        return file.ReadAtLeast(header, header.Length, throwOnEndOfStream: false) == header.Length && BinaryPrimitives.ReadInt32LittleEndian(header[8..]) == GameBoy;
    }

    // those of the nearest folder count
    private static Dictionary<(string Section, string Name), string> SettingsOf(string folder)
    {
        var found = new Dictionary<(string, string), string>();
        for (var next = Path.GetFullPath(folder); next is not null; next = Path.GetDirectoryName(next))
        {
            var path = Path.Combine(next, Settings);
            var section = "";
            foreach (var line in File.Exists(path) && new FileInfo(path).Length <= MaxFileBytes ? File.ReadLines(path) : [])
            {
                if (line.StartsWith('[') && line.TrimEnd().EndsWith(']'))
                {
                    section = line.Trim()[1..^1];
                }
                else if (line.IndexOf('=', StringComparison.Ordinal) is > 0 and var equals)
                {
                    found.TryAdd((section, line[..equals].Trim()), line[(equals + 1)..].Trim());
                }
            }
        }

        return found;
    }

    // frame:keys,frame:keys: which keys are held from a frame after the skipped ones, as a mask in hexadecimal
    private static Dictionary<int, KeySet> InputOf(Dictionary<(string Section, string Name), string> settings, string folder)
    {
        var keys = new Dictionary<int, KeySet>();
        foreach (var item in settings.GetValueOrDefault((TestSection, "input"), "").Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            keys[item.Split(':') is [var frame, var mask] && int.TryParse(frame, NumberStyles.None, CultureInfo.InvariantCulture, out var index) ? index : throw Wrong(item)] =
                int.TryParse(mask, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var held) && held is >= 0 and <= KeySet.All ? new KeySet(held) : throw Wrong(item);
        }

        return keys;

        TestFileException Wrong(string item) => new($"{folder}: \"{item}\" of input in {Settings} is not FRAME:MASK with a mask of up to {KeySet.All:x}.");
    }

    private static long Number(Dictionary<(string Section, string Name), string> settings, string folder, string name, long byDefault) =>
        !settings.TryGetValue((TestSection, name), out var text) ? byDefault
        : long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number < TestFileReader.MaxFrames ? number
        : throw new TestFileException(string.Create(CultureInfo.InvariantCulture, $"{folder}: {name}={text} in {Settings}; expected an integer from 0 to {TestFileReader.MaxFrames - 1}."));
}
