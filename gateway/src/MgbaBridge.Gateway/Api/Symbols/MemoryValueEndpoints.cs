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
internal static class MemoryValueEndpoints
{
    /// <summary>Reads the type of the value; only a text table depends on the game.</summary>
    public static Task WithFormAsync(HttpContext http, Func<HttpContext, Location, IValueType, Task> then) => http.Request.Query.ContainsKey("table")
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

    /// <summary>Reads a value.</summary>
    public static Task ReadAsync(HttpContext http, Location location, IValueType form) =>
        http.SendAsync(new ReadMemory(location, form.Size), (http, command, reply) => JsonBody.WriteAsync(
            http, new MemoryValueAnswer(reply.Frame, reply.Epoch, command.Location, form.Read(reply.Tail.Span)), SymbolJson.Default.MemoryValueAnswer));

    /// <summary>Writes a value.</summary>
    public static async Task WriteAsync(HttpContext http, Location location, IValueType form)
    {
        if (await JsonBody.ReadAsync(http, SymbolJson.Default.ValueBody) is not { } body)
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
            new WriteMemory(location, new ReadOnlySequence<byte>(bytes)),
            static (http, _, reply) => JsonBody.WriteAsync(http, WriteAnswer.Of(reply), MemoryJson.Default.WriteAnswer),
            WriteAnswer.MaxWait(bytes.Length));
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
