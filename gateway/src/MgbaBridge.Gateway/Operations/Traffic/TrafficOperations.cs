using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Traffic;

/// <summary>The newest requests to an emulator.</summary>
internal static class TrafficOperations
{
    private static readonly Resource Resource = new("Status", TrafficJson.Default) { UsesEmulator = false };

    private const int MaxLimit = 500;
    private const int DefaultLimit = 200;

    private static readonly IReadOnlyList<double> Bounds = [.. ClientMetrics.DurationBounds.Select(bound => bound * 1000)];

    public static HandlerOperation<(long After, int Limit), TrafficAnswer> List { get; } = new(Resource, "traffic.list", HttpMethods.Get, "/v2/traffic", Access.Read)
    {
        Summary = "The newest requests to the emulator, and how long requests took",
        Description = $"The requests of all clients over HTTP and WebSocket, of the paths of mGBA-http, and of the gateway itself without its waits for frames, each when it has ended. The gateway keeps the newest "
            + $"{RequestLog.MaxEntries} of all emulators together, and only while this is requested: the first response is empty, and {RequestLog.ReaderLimit.TotalSeconds} seconds after the last "
            + "request they are discarded. `durations` counts all requests of that time, also those that are no longer kept.",
        Request = Parameters.Of(
            Parameter.Integer("after", 0, long.MaxValue, "Only requests with a higher `id`: `last` of the previous response.").Or(0) with { Example = "1312" },
            Parameter.Integer("limit", 1, MaxLimit, "How many at most, the newest.").Or(DefaultLimit),
            static (after, limit) => (after, limit)),
        Run = static (invocation, request) => ValueTask.FromResult(Of(invocation, request)),
        ResponseExample = """{"last":1313,"requests":[{"id":1313,"at":"2026-11-22T12:00:00+00:00","command":"memory.read8","outcome":"ok","ms":1.4,"frame":4711}],"boundsMs":[1,10],"durations":[{"command":"memory.read8","outcome":"ok","counts":[812,40,1]}]}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List];

    private static Result<TrafficAnswer> Of(Invocation invocation, (long After, int Limit) request)
    {
        var log = invocation.Get<RequestLog>();
        var (entries, last) = log.After(invocation.Emulator.Id, request.After, request.Limit);
        return new TrafficAnswer(last, [.. entries.Select(entry => TrafficEntryAnswer.Of(entry, invocation.Caller))], Bounds, log.Durations(invocation.Emulator.Id));
    }
}

/// <summary>The newest requests to an emulator.</summary>
/// <param name="Last">The id of the last request to any emulator, to continue after it. It begins again when the gateway restarts.</param>
/// <param name="Requests">The requests, oldest first.</param>
/// <param name="BoundsMs">The bounds of the counts in <paramref name="Durations"/>, in milliseconds.</param>
/// <param name="Durations">How long requests took since the first request for this list, for each command and outcome.</param>
public readonly record struct TrafficAnswer(long Last, IReadOnlyList<TrafficEntryAnswer> Requests, IReadOnlyList<double> BoundsMs, IReadOnlyList<RequestDurations> Durations);

/// <summary>A request to an emulator that has ended.</summary>
/// <param name="Id">Its number, in the order of their ends.</param>
/// <param name="At">When it was made.</param>
/// <param name="Command">The command of the wire protocol.</param>
/// <param name="Outcome">`ok`, `left` (the caller left), or a failure's name.</param>
/// <param name="Ms">Milliseconds from the request to its reply or failure.</param>
/// <param name="Frame">The frame of the reply; absent when there is none.</param>
/// <param name="Detail">What went wrong; absent when all is well.</param>
public readonly record struct TrafficEntryAnswer(long Id, DateTimeOffset At, string Command, string Outcome, double Ms, long? Frame, string? Detail)
{
    private const int Digits = 3;

    /// <summary>The entry made from a logged request.</summary>
    internal static TrafficEntryAnswer Of(LoggedRequest request, Caller caller) =>
        new(request.Id, request.At, request.Command, request.Outcome, Math.Round(request.Duration.TotalMilliseconds, Digits), request.Frame, ShownText.For(caller, request.Detail));
}

/// <summary>The JSON of requests to emulators.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(TrafficAnswer))]
internal sealed partial class TrafficJson : JsonSerializerContext;
