using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

/// <summary>A topic of events.</summary>
/// <param name="Kind">The name of its row in <see cref="EventTopics"/>.</param>
/// <param name="Location">Of memory: where it starts.</param>
/// <param name="Length">Of memory: how many bytes.</param>
/// <param name="Every">The interval between checks, in frames.</param>
public readonly record struct EventTopic(string Kind, Location Location, long Length, long Every)
{
    private const string Memory = EventNames.Memory;
    private const string MemoryPrefix = $"{Memory}:";

    /// <summary>A topic of the emulator, checked in each frame.</summary>
    public EventTopic(string kind)
        : this(kind, default, 1, 1)
    {
    }

    /// <summary>The format of topics.</summary>
    public static string ExpectedFormat { get; } =
        $"A topic is {string.Join("; ", EventTopics.All.SelectMany(row => row.Examples).Select(example => $"{example.Text} ({example.Sentence})"))}.";

    /// <summary>Whether it needs a watch in the script.</summary>
    public bool IsWatched => TopicRow.Find(Kind) is { Source: TopicSource.Watch };

    /// <summary>A canonical name, equal for equal topics.</summary>
    public string Name => Kind switch
    {
        Memory => string.Create(CultureInfo.InvariantCulture, $"{MemoryPrefix}{LocationText()}/{Length}/{Every}"),
        _ when IsWatched => string.Create(CultureInfo.InvariantCulture, $"{Kind}/{Every}"),
        _ => Kind,
    };

    /// <summary>The watch that it needs in the script; its name is that of the topic.</summary>
    public AddWatch Watch => Kind == Memory ? new AddWatch(Name, Kind, Every, Location, Length) : new AddWatch(Name, Kind, Every);

    /// <summary>Reads <c>memory:wram:0x10/4/30</c> and the other formats.</summary>
    public static bool TryParse(string text, out EventTopic topic)
    {
        topic = default;
        var parts = text.Split('/');
        var isMemory = parts[0].StartsWith(MemoryPrefix, StringComparison.Ordinal);
        if (TopicRow.Find(isMemory ? Memory : parts[0]) is not { } row || isMemory != (row.Name == Memory))
        {
            return false;
        }

        var (location, length, every) = (default(Location), AddWatch.DefaultLength, row.Every);
        var known = isMemory ? Location.TryParse(parts[0].AsSpan(MemoryPrefix.Length), out location) && parts.Length <= 3 && TryCount(parts, 1, ref length) && TryCount(parts, 2, ref every)
            : row.Source == TopicSource.Watch ? parts.Length <= 2 && TryCount(parts, 1, ref every)
            : parts.Length == 1;
        topic = known ? new EventTopic(row.Name, location, length, every) : default;
        return known;
    }

    private static bool TryCount(string[] parts, int index, ref long count) =>
        parts.Length <= index || (Integers.TryParseDecimal(parts[index], out count) && count >= 0);

    private string LocationText()
    {
        Span<byte> text = stackalloc byte[Location.MaxText];
        return Encoding.ASCII.GetString(text[..Location.Format(text)]);
    }
}

/// <summary>What is always the same about a topic of events.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Source">Who sends its events, and to whom.</param>
/// <param name="Every">The interval between checks unless given, in frames.</param>
/// <param name="Examples">How it is written, each with what it then reports.</param>
/// <param name="Events">Its events.</param>
/// <param name="IsLive">Whether its past events are of no use: a subscriber that resumes does not receive them.</param>
/// <param name="IsLevel">Whether a new subscriber receives the last event first.</param>
internal sealed record TopicRow(
    string Name, TopicSource Source, long Every, ImmutableArray<(string Text, string Sentence)> Examples, ImmutableArray<EventRow> Events, bool IsLive = false, bool IsLevel = false)
{
    private static readonly FrozenDictionary<string, TopicRow> Rows = EventTopics.All.ToFrozenDictionary(row => row.Name);

    /// <summary>The row of this name, or null.</summary>
    public static TopicRow? Find(string name) => Rows.GetValueOrDefault(name);
}

/// <summary>What is always the same about an event.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Values">Its values that callers get, in their order.</param>
internal sealed record EventRow(string Name, ImmutableArray<EventValue> Values)
{
    /// <summary>A watch ended: any of those that need one.</summary>
    public static readonly EventRow Ended = new(StreamEvents.Ended, [new("reason", EventValueKind.Text, "why, a code of an error", 1)]);

    private static readonly FrozenDictionary<string, EventRow> Rows = EventTopics.All.SelectMany(row => row.Events).Append(Ended).ToFrozenDictionary(row => row.Name);

    /// <summary>The row of this name, or null: a newer script may have others.</summary>
    public static EventRow? Find(string name) => Rows.GetValueOrDefault(name);
}

/// <summary>A value of an event.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Sentence">What it says.</param>
/// <param name="Place">Its place among the values without names, from 1; 0 when it has its name.</param>
internal sealed record EventValue(string Name, EventValueKind Kind, string Sentence, int Place = 0)
{
    /// <summary>Any event of a watch may have it.</summary>
    public static readonly EventValue Dropped = new("dropped", EventValueKind.Integer, "how many events of this topic, or lines of the log, the script left out because they were not taken in time");

    private readonly byte[] _name = Encoding.ASCII.GetBytes(Name);

    /// <summary>Advances to it.</summary>
    public bool Find(ref ValueReader values)
    {
        for (var place = 0; values.Read();)
        {
            if (Place == 0 ? values.Name.SequenceEqual(_name) : values.Name.IsEmpty && ++place == Place)
            {
                return true;
            }
        }

        return false;
    }
}

/// <summary>What a value of an event is.</summary>
internal enum EventValueKind
{
    Text,
    Integer,

    /// <summary>A mask of keys.</summary>
    Keys,

    /// <summary>The tail.</summary>
    Bytes,

    /// <summary>The lines of the tail.</summary>
    Lines,

    /// <summary>The tail, which a WebSocket sends as a binary message.</summary>
    Samples,
}

/// <summary>Who sends the events of a topic.</summary>
internal enum TopicSource
{
    /// <summary>The script, where there is a watch.</summary>
    Watch,

    /// <summary>The script, on every connection.</summary>
    Script,

    /// <summary>The gateway itself.</summary>
    Gateway,
}

/// <summary>The names of events about subscriptions, which belong to no topic.</summary>
public static class StreamEvents
{
    /// <summary>A watch ended.</summary>
    public const string Ended = "ended";

    /// <summary>Events were dropped because they were not taken in time.</summary>
    public const string Lost = "lost";

    /// <summary>The stream ends.</summary>
    public const string Closed = "closed";
}
