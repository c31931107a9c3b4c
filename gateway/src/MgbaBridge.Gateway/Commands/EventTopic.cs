using System.Globalization;
using System.Text;

namespace MgbaBridge.Gateway.Commands;

/// <summary>A topic of events.</summary>
/// <param name="Kind"><c>memory</c>, <c>frame</c> or <c>keys</c>, which need a watch in the script; or <c>game</c>, <c>lease</c>, <c>freeze</c> or <c>script</c>, which it
/// sends on every connection; or <c>emulator</c>, which the gateway itself publishes.</param>
/// <param name="Location">Of memory: where it starts.</param>
/// <param name="Length">Of memory: how many bytes.</param>
/// <param name="Every">The interval between checks, in frames.</param>
public readonly record struct EventTopic(string Kind, Location Location, long Length, long Every)
{
    /// <summary>The format of topics.</summary>
    public const string FormatHint =
        "A topic is frame, frame/60 (every 60 frames), keys, memory:0x02000000/4 (those 4 bytes, when they change), "
        + "memory:wram:0x10/4/30 (compared every 30 frames), game, lease, freeze, script or emulator.";

    private const string MemoryPrefix = "memory:";

    /// <summary>Whether it needs a watch in the script.</summary>
    public bool IsWatched => Kind is "memory" or "frame" or "keys";

    /// <summary>A canonical name, equal for equal topics.</summary>
    public string Name => Kind switch
    {
        "memory" => string.Create(CultureInfo.InvariantCulture, $"{MemoryPrefix}{LocationText()}/{Length}/{Every}"),
        "frame" or "keys" => string.Create(CultureInfo.InvariantCulture, $"{Kind}/{Every}"),
        _ => Kind,
    };

    /// <summary>The watch that it needs in the script; its name is that of the topic.</summary>
    public StartWatch Watch => Kind == "memory" ? new StartWatch(Name, Kind, Every, Location, Length) : new StartWatch(Name, Kind, Every);

    /// <summary>Reads <c>memory:wram:0x10/4/30</c> and the other formats.</summary>
    public static bool TryParse(string text, out EventTopic topic)
    {
        topic = default;
        var parts = text.Split('/');
        var (length, every) = (1L, 1L);
        if (parts[0].StartsWith(MemoryPrefix, StringComparison.Ordinal))
        {
            if (parts.Length > 3 || !Location.TryParse(parts[0].AsSpan(MemoryPrefix.Length), out var location)
                || !TryCount(parts, 1, ref length) || !TryCount(parts, 2, ref every))
            {
                return false;
            }

            topic = new EventTopic("memory", location, length, every);
            return true;
        }

        if (parts[0] is "frame" or "keys" ? parts.Length > 2 || !TryCount(parts, 1, ref every) : parts[0] is not ("game" or "lease" or "freeze" or "script" or "emulator") || parts.Length > 1)
        {
            return false;
        }

        topic = new EventTopic(parts[0], default, length, every);
        return true;
    }

    private static bool TryCount(string[] parts, int index, ref long count) =>
        parts.Length <= index || long.TryParse(parts[index], NumberStyles.None, CultureInfo.InvariantCulture, out count);

    private string LocationText()
    {
        Span<byte> text = stackalloc byte[Location.MaxText];
        return Encoding.ASCII.GetString(text[..Location.Format(text)]);
    }
}
