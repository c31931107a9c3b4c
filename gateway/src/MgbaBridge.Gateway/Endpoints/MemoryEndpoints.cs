using System.Globalization;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints.OpenApi;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The game's memory, as bytes and as values.</summary>
public static class MemoryEndpoints
{
    /// <summary>What a location may look like.</summary>
    internal const string LocationForms = "A location is an address such as 0x02000000 or 33554432, or an offset in a domain such as wram:0x10.";

    // a frame for every 16 KiB, and none of them has to be on time
    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(5);

    /// <summary>Adds <c>/v2/memory/{location}</c>, and below it <c>/u8</c>, <c>/s8</c>, <c>/u16</c>, <c>/s16</c>, <c>/u32</c> and <c>/s32</c>.</summary>
    public static void MapMemory(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/v2/memory/{location}", ReadRange).Describe(MemoryOperations.ReadRange);
        routes.MapPut("/v2/memory/{location}", WriteRange).Describe(MemoryOperations.WriteRange);
        foreach (var type in Enum.GetValues<NumberType>())
        {
            var path = $"/v2/memory/{{location}}/{type.ToString().ToLowerInvariant()}";
            routes.MapGet(path, http => ReadCell(http, type)).Describe(MemoryOperations.Read(type));
            routes.MapPut(path, http => WriteCell(http, type)).Describe(MemoryOperations.Write(type));
        }
    }

    /// <summary>How long a write of this many bytes may take.</summary>
    internal static TimeSpan TimeFor(long bytes) => AtLeast + (PerFrame * ((bytes / Transfer.BulkFrom) + 1));

    /// <summary>Answers which frames wrote.</summary>
    internal static ValueTask WriteFramesAsync(HttpContext http, WriteMemory command, Reply reply) =>
        JsonBody.WriteAsync(http, WriteAnswer.Of(reply), BridgeJson.Default.WriteAnswer);

    /// <summary>Reads <c>length</c> bytes, all from one frame: raw for <c>Accept: application/octet-stream</c>, else base64 in JSON.</summary>
    private static Task ReadRange(HttpContext http)
    {
        if (!TryLocation(http, out var location))
        {
            return Problems.BadRequestAsync(http, LocationForms).AsTask();
        }

        var text = http.Request.Query["length"].ToString();
        return long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var length)
            ? http.AskAsync(new ReadMemory(location, length), WantsRawBytes(http) ? WriteRawAsync : WriteBytesAsync)
            : Problems.BadRequestAsync(http, "Say how many bytes, 0 to 4194304: ?length=16").AsTask();
    }

    /// <summary>Writes the body's bytes. More than 16 KiB takes several frames; the answer says which.</summary>
    private static async Task WriteRange(HttpContext http)
    {
        if (!TryLocation(http, out var location))
        {
            await Problems.BadRequestAsync(http, LocationForms);
            return;
        }

        if (await RawBody.ReadAsync(http) is { } body)
        {
            await http.AskAsCallerAsync(new WriteMemory(location, body), WriteFramesAsync, TimeFor(body.Length));
            RawBody.Done(http, body);
        }
    }

    /// <summary>Reads one little-endian value.</summary>
    private static Task ReadCell(HttpContext http, NumberType type) => TryLocation(http, out var location)
        ? http.AskAsync(new ReadCell(location, type.Width()), type switch
        {
            NumberType.S8 => static (http, command, reply) => WriteCellAsync(http, command, reply, NumberType.S8),
            NumberType.S16 => static (http, command, reply) => WriteCellAsync(http, command, reply, NumberType.S16),
            NumberType.S32 => static (http, command, reply) => WriteCellAsync(http, command, reply, NumberType.S32),
            _ => static (http, command, reply) => WriteCellAsync(http, command, reply, NumberType.U32),
        })
        : Problems.BadRequestAsync(http, LocationForms).AsTask();

    /// <summary>Writes one little-endian value.</summary>
    private static async Task WriteCell(HttpContext http, NumberType type)
    {
        if (!TryLocation(http, out var location))
        {
            await Problems.BadRequestAsync(http, LocationForms);
        }
        else if (await JsonBody.ReadAsync(http, BridgeJson.Default.CellBody) is { } body)
        {
            await http.AskAsCallerAsync(new WriteCell(location, type.Width(), body.Value), static (http, _, reply) =>
                JsonBody.WriteAsync(http, new WriteAnswer(reply.Frame, reply.Epoch, reply.Frame, reply.Frame), BridgeJson.Default.WriteAnswer));
        }
    }

    private static ValueTask WriteCellAsync(HttpContext http, in ReadCell command, Reply reply, NumberType type) => JsonBody.WriteAsync(
        http, new CellAnswer(reply.Frame, reply.Epoch, command.Location, type.Of(Commands.ReadCell.Parse(reply))), BridgeJson.Default.CellAnswer);

    private static ValueTask WriteBytesAsync(HttpContext http, ReadMemory command, Reply reply) =>
        JsonBody.WriteAsync(http, new BytesAnswer(reply.Frame, reply.Epoch, command.Location, reply.Tail), BridgeJson.Default.BytesAnswer);

    private static ValueTask WriteRawAsync(HttpContext http, ReadMemory command, Reply reply) => RawAnswer.WriteAsync(http, reply.Tail);

    private static bool WantsRawBytes(HttpContext http) =>
        http.Request.Headers.Accept.ToString().Contains(RawAnswer.Bytes, StringComparison.OrdinalIgnoreCase);

    private static bool TryLocation(HttpContext http, out Location location) =>
        Location.TryParse(http.Request.RouteValues["location"] as string, out location);
}
