using System.Globalization;
using MgbaBridge.Gateway.Api.Game;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Memory;

/// <summary>The game's memory, as bytes and as values.</summary>
public static class MemoryEndpoints
{
    // a frame for every 16 KiB, and none of them has to be on time
    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(5);

    /// <summary>Adds <c>/v2/memory/{location}</c>, and below it <c>/u8</c>, <c>/s8</c>, <c>/u16</c>, <c>/s16</c>, <c>/u32</c> and <c>/s32</c>.</summary>
    public static void MapMemory(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/v2/memory/{location}", ReadRange).Describe(MemoryDescriptions.ReadRange);
        routes.MapPut("/v2/memory/{location}", WriteRange).Describe(MemoryDescriptions.WriteRange);
        foreach (var type in Enum.GetValues<NumberType>())
        {
            var path = $"/v2/memory/{{location}}/{type.ToString().ToLowerInvariant()}";
            routes.MapGet(path, http => ReadCell(http, type)).Describe(MemoryDescriptions.Read(type));
            routes.MapPut(path, http => WriteCell(http, type)).Describe(MemoryDescriptions.Write(type));
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
            return Problems.BadRequestAsync(http, Location.FormatHint).AsTask();
        }

        var text = http.Request.Query["length"].ToString();
        return long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var length)
            ? http.SendAsync(new ReadMemory(location, length), WantsRawBytes(http) ? WriteRawAsync : WriteBytesAsync)
            : Problems.BadRequestAsync(http, "Say how many bytes, 0 to 4194304: ?length=16").AsTask();
    }

    /// <summary>Writes the body's bytes. More than 16 KiB takes several frames; the answer says which.</summary>
    private static async Task WriteRange(HttpContext http)
    {
        if (!TryLocation(http, out var location))
        {
            await Problems.BadRequestAsync(http, Location.FormatHint);
            return;
        }

        if (await RawBody.ReadAsync(http) is { } body)
        {
            await http.SendAsCallerAsync(new WriteMemory(location, body), WriteFramesAsync, TimeFor(body.Length));
            RawBody.Done(http, body);
        }
    }

    /// <summary>Reads one little-endian value.</summary>
    private static Task ReadCell(HttpContext http, NumberType type) => TryLocation(http, out var location)
        ? http.SendAsync(new ReadCell(location, type.Width()), type switch
        {
            NumberType.S8 => static (http, command, reply) => WriteCellAsync(http, command, reply, NumberType.S8),
            NumberType.S16 => static (http, command, reply) => WriteCellAsync(http, command, reply, NumberType.S16),
            NumberType.S32 => static (http, command, reply) => WriteCellAsync(http, command, reply, NumberType.S32),
            _ => static (http, command, reply) => WriteCellAsync(http, command, reply, NumberType.U32),
        })
        : Problems.BadRequestAsync(http, Location.FormatHint).AsTask();

    /// <summary>Writes one little-endian value.</summary>
    private static async Task WriteCell(HttpContext http, NumberType type)
    {
        if (!TryLocation(http, out var location))
        {
            await Problems.BadRequestAsync(http, Location.FormatHint);
        }
        else if (await JsonBody.ReadAsync(http, BridgeJson.Default.CellBody) is { } body)
        {
            await http.SendAsCallerAsync(new WriteCell(location, type.Width(), body.Value), static (http, _, reply) =>
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

/// <summary>Memory: its parts, and many reads at once.</summary>
public static class ManyReadsEndpoints
{
    private const string Tag = "Memory";

    /// <summary>Adds <c>/v2/memory/domains</c> and <c>/v2/memory/read</c>.</summary>
    public static void MapManyReads(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/v2/memory/domains", Domains).Describe(new OperationDescription(Tag, "The parts of memory that have a name")
        {
            Answers = [Content.Json<DomainsAnswer>("""{"frame":4711,"epoch":"9f3a01c2","domains":[{"id":"wram","name":"EWRAM","base":"0x02000000","size":262144}]}""")],
        });
        routes.MapPost("/v2/memory/read", Read).Describe(new OperationDescription(Tag, "Read many places in one frame")
        {
            Description = "1 to 1024 numbers and ranges, up to 4 MiB together, all from the same frame.",
            Body = Content.Json<ReadsBody>("""{"reads":[{"location":"0x02000008","type":"u32"},{"location":"wram:0xA0","length":10}]}"""),
            Answers = [Content.Json<ReadsAnswer>("""{"frame":4711,"epoch":"9f3a01c2","reads":[{"location":"0x02000008","value":4708},{"location":"wram:0xA0","bytes":"SEVMTE8gTUdCQQ=="}]}""")],
        });
    }

    private static Task Domains(HttpContext http) => http.SendAsync(new ListDomains(), static (http, _, reply) =>
    {
        var byAddress = ListDomains.Parse(reply).OrderBy(domain => domain.Base).ThenBy(domain => domain.Id, StringComparer.Ordinal);
        DomainAnswer[] domains = [.. byAddress.Select(domain => new DomainAnswer(domain.Id, domain.Name, GameEndpoints.Hex(domain.Base), domain.Size))];
        return JsonBody.WriteAsync(http, new DomainsAnswer(reply.Frame, reply.Epoch, domains), BridgeJson.Default.DomainsAnswer);
    });

    private static async Task Read(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.ReadsBody) is not { } body)
        {
            return;
        }

        if (body.Wrong() is { } wrong)
        {
            await Problems.BadRequestAsync(http, wrong);
        }
        else
        {
            await http.SendAsync(new GatherMemory([.. body.Reads.Select(read => read.Range)]), static (http, command, reply) =>
                JsonBody.WriteAsync(http, ReadsAnswer.Of(command, reply), BridgeJson.Default.ReadsAnswer));
        }
    }
}
