using System.Globalization;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Operations.Events;

/// <summary>Ids of events, by which a caller resumes after the last one it received: the feed's id, a dash, and the event's number.</summary>
internal static class EventIds
{
    /// <summary>The id of an event.</summary>
    public static string Of(string feedId, long number) => string.Create(CultureInfo.InvariantCulture, $"{feedId}-{number}");

    /// <summary>The number in an id, or null; and whether it is of another run of the gateway.</summary>
    public static (long? Number, bool IsForeign) After(string? id, EventFeed feed)
    {
        var dash = id?.IndexOf('-', StringComparison.Ordinal) ?? -1;
        return dash > 0 && id.AsSpan(0, dash).SequenceEqual(feed.Id) && long.TryParse(id.AsSpan(dash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var after)
            ? (after, false)
            : (null, id?.Length > 0);
    }
}
