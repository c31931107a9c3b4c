using System.Buffers;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Memory;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>Values of memory that are more than a little-endian number: lists, the other order of bytes, texts.</summary>
public static class MemoryValueEndpoints
{
    private const string Path = "/v2/memory/{location}/value";

    private static OperationDescription ReadDescription { get; } = new("Memory", "Read a list, a text, or a number of either order of bytes")
    {
        Inputs =
        [
            new Input("type", "u8, s8, u16, s16, u32, s32, text or bytes.", "u16") { IsRequired = true },
            ValueTypeQuery.Count, ValueTypeQuery.Endian, ValueTypeQuery.Length, ValueTypeQuery.Table,
        ],
        Answers = [Content.Json<MemoryValueAnswer>("""{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","value":[16973,12628]}""")],
    };

    private static OperationDescription WriteDescription { get; } = new("Memory", "Write a list, a text, or a number of either order of bytes")
    {
        Description = "A text is filled up to its length with the byte that ends one. More than 16 KiB takes several frames; the answer says which.",
        Inputs = [.. ReadDescription.Inputs, Input.Holder],
        Body = Content.Json<ValueBody>("""{"value":[1,2]}"""),
        Answers = [Content.Json<WriteAnswer>(MemoryDescriptions.WriteExample)],
    };

    /// <summary>Adds <c>/v2/memory/{location}/value</c>.</summary>
    public static void MapMemoryValues(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, http => WithFormAsync(http, ReadAsync)).Describe(ReadDescription);
        routes.MapPut(Path, http => WithFormAsync(http, WriteAsync)).Describe(WriteDescription);
    }

    // only a text table belongs to a game
    private static Task WithFormAsync(HttpContext http, Func<HttpContext, Location, IValueType, Task> then) => http.Request.Query.ContainsKey("table")
        ? GameSymbolRequests.WithGameAsync(http, (http, naming) => WithFormAsync(http, naming.Names.Properties, then))
        : WithFormAsync(http, null, then);

    private static Task WithFormAsync(HttpContext http, PropertyMap? map, Func<HttpContext, Location, IValueType, Task> then)
    {
        if (!Location.TryParse(http.Request.RouteValues["location"] as string, out var location))
        {
            return Problems.BadRequestAsync(http, Location.FormatHint).AsTask();
        }

        return ValueTypeQuery.Read(http, http.Request.Query["type"].ToString(), map, out var wrong) is { } form
            ? then(http, location, form)
            : Problems.BadRequestAsync(http, wrong).AsTask();
    }

    private static Task ReadAsync(HttpContext http, Location location, IValueType form) =>
        http.SendAsync(new ReadMemory(location, form.Size), (http, command, reply) => JsonBody.WriteAsync(
            http, new MemoryValueAnswer(reply.Frame, reply.Epoch, command.Location, form.Read(reply.Tail.Span)), BridgeJson.Default.MemoryValueAnswer));

    private static async Task WriteAsync(HttpContext http, Location location, IValueType form)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.ValueBody) is not { } body)
        {
            return;
        }

        var bytes = new byte[form.Size];
        if (form.Write(body.Value, bytes) is { } wrong)
        {
            await Problems.BadRequestAsync(http, wrong);
            return;
        }

        await http.SendAsCallerAsync(
            new WriteMemory(location, new ReadOnlySequence<byte>(bytes)), MemoryEndpoints.WriteFramesAsync, MemoryEndpoints.TimeFor(bytes.Length));
    }
}

/// <summary>A value of memory.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Location">Where it was read.</param>
/// <param name="Value">A number, a text, a list of numbers, or bytes in base64.</param>
public readonly record struct MemoryValueAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    JsonNode Value);
