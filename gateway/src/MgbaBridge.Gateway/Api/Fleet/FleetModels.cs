using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Fleet.Registry;

namespace MgbaBridge.Gateway.Api.Fleet;

/// <summary>Sessions to create.</summary>
public sealed record CreateSessionsBody
{
    private const int MaxCount = 1_000;
    private const int MaxText = 255;
    private const int MaxId = 32;
    private const double MaxFps = 100_000;

    /// <summary>The ROM: a path below one of `Owned:RomFolders` of the hosts, relative or whole; `:test:` is the bundled test game.</summary>
    public required string Rom { get; init; }

    /// <summary>How many, 1 to 1000. Default: 1.</summary>
    public int? Count { get; init; }

    /// <summary>Who owns them, for the quota: 1 to 255 characters. Default: `default`.</summary>
    public string? Owner { get; init; }

    /// <summary>Frames a second, 0 to 100000; 0 runs as fast as possible. Default: the console's own rate.</summary>
    public double? Fps { get; init; }

    /// <summary>The id of a single session: 1 to 32 characters of `a-z 0-9 _ -`. Default: a random one.</summary>
    public string? Id { get; init; }

    /// <summary>How many.</summary>
    internal int CountOrDefault => Count ?? 1;

    /// <summary>Who owns them.</summary>
    internal string OwnerOrDefault => Owner ?? "default";

    /// <summary>What is wrong with it, or null.</summary>
    internal string? Check() =>
        Rom.Length is 0 or > MaxText || Rom.Contains('\0', StringComparison.Ordinal) ? $"rom has 1 to {MaxText} characters."
        : Count is < 1 or > MaxCount ? $"count is {Count}; expected 1 to {MaxCount}."
        : OwnerOrDefault.Length is 0 or > MaxText || OwnerOrDefault.Contains('\0', StringComparison.Ordinal) ? $"owner has 1 to {MaxText} characters."
        : Fps is < 0 or > MaxFps or double.NaN ? FormattableString.Invariant($"fps is {Fps}; expected 0 to {MaxFps}.")
        : Id is not null && CountOrDefault != 1 ? "id names a single session; omit it, or omit count."
        : Id is { } id && (id.Length is 0 or > MaxId || !id.All(letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter) || letter is '_' or '-'))
            ? $"id has 1 to {MaxId} characters of a-z, 0-9, _ and -, not \"{id}\"."
            : null;
}

/// <summary>Which session.</summary>
/// <param name="Session">Its id.</param>
public sealed record SessionRequest([property: JsonRequired] string Session);

/// <summary>Which sessions.</summary>
public sealed record SessionsRequest
{
    /// <summary>Only those of this owner.</summary>
    public string? Owner { get; init; }

    /// <summary>Only those in this state: `pending`, `placed`, `running` or `deleting`.</summary>
    public string? State { get; init; }

    /// <summary>Only those behind this id.</summary>
    public string? After { get; init; }

    /// <summary>How many at most, 1 to 1000; 100 unless given.</summary>
    public int? Limit { get; init; }
}

/// <summary>Which events.</summary>
public sealed record FleetEventsRequest
{
    /// <summary>Only those of this session.</summary>
    public string? Session { get; init; }

    /// <summary>Only those with a higher id; 0 unless given.</summary>
    public long? After { get; init; }

    /// <summary>How many at most, 1 to 1000; 100 unless given.</summary>
    public int? Limit { get; init; }
}

/// <summary>The sessions that were created.</summary>
/// <param name="Ids">Their ids; their paths are below `/i/{id}` when they run.</param>
public sealed record CreatedSessionsAnswer(IReadOnlyList<string> Ids);

/// <summary>Sessions in the order of their ids.</summary>
/// <param name="Sessions">The sessions.</param>
public sealed record SessionsAnswer(IReadOnlyList<FleetSession> Sessions);

/// <summary>Hosts, those that live first.</summary>
/// <param name="Hosts">The hosts.</param>
public sealed record HostsAnswer(IReadOnlyList<FleetHost> Hosts);

/// <summary>What happened, oldest first.</summary>
/// <param name="Events">The events.</param>
public sealed record FleetEventsAnswer(IReadOnlyList<FleetEvent> Events);

/// <summary>The fleet in numbers.</summary>
/// <param name="Fleet">Its name.</param>
/// <param name="Hosts">Hosts that are ready.</param>
/// <param name="Capacity">Emulators that they take.</param>
/// <param name="Pending">Sessions that wait for a host.</param>
/// <param name="Placed">Sessions that start.</param>
/// <param name="Running">Sessions that run.</param>
/// <param name="Deleting">Sessions that end.</param>
/// <param name="EngineProblem">Why the engine that starts hosts failed last; empty when it works, or there is none.</param>
public sealed record FleetStatusAnswer(string Fleet, int Hosts, int Capacity, long Pending, long Placed, long Running, long Deleting, string EngineProblem);

/// <summary>The JSON of the fleet.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(CreateSessionsBody))]
[JsonSerializable(typeof(SessionRequest))]
[JsonSerializable(typeof(SessionsRequest))]
[JsonSerializable(typeof(FleetEventsRequest))]
[JsonSerializable(typeof(CreatedSessionsAnswer))]
[JsonSerializable(typeof(SessionsAnswer))]
[JsonSerializable(typeof(HostsAnswer))]
[JsonSerializable(typeof(FleetEventsAnswer))]
[JsonSerializable(typeof(FleetStatusAnswer))]
[JsonSerializable(typeof(FleetSession))]
internal sealed partial class FleetJson : JsonSerializerContext;
