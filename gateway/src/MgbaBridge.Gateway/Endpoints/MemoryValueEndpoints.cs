using System.Buffers;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints.OpenApi;
using MgbaBridge.Gateway.Names;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Values of memory that are more than a little-endian number: lists, the other order of bytes, texts.</summary>
public static class MemoryValueEndpoints
{
    private const string Path = "/v2/memory/{location}/value";

    /// <summary>Adds <c>/v2/memory/{location}/value</c>.</summary>
    public static void MapMemoryValues(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, http => WithFormAsync(http, ReadAsync)).Describe(MemoryOperations.ReadValue);
        routes.MapPut(Path, http => WithFormAsync(http, WriteAsync)).Describe(MemoryOperations.WriteValue);
    }

    // only a text table belongs to a game
    private static Task WithFormAsync(HttpContext http, Func<HttpContext, Location, IValueForm, Task> then) => http.Request.Query.ContainsKey("table")
        ? GameNaming.WithGameAsync(http, (http, naming) => WithFormAsync(http, naming.Names.Properties, then))
        : WithFormAsync(http, null, then);

    private static Task WithFormAsync(HttpContext http, PropertyMap? map, Func<HttpContext, Location, IValueForm, Task> then)
    {
        if (!Location.TryParse(http.Request.RouteValues["location"] as string, out var location))
        {
            return Problems.BadRequestAsync(http, MemoryEndpoints.LocationForms).AsTask();
        }

        return QueryForm.Read(http, http.Request.Query["type"].ToString(), map, out var wrong) is { } form
            ? then(http, location, form)
            : Problems.BadRequestAsync(http, wrong).AsTask();
    }

    private static Task ReadAsync(HttpContext http, Location location, IValueForm form) =>
        http.AskAsync(new ReadMemory(location, form.Size), (http, command, reply) => JsonBody.WriteAsync(
            http, new MemoryValueAnswer(reply.Frame, reply.Epoch, command.Location, form.Read(reply.Tail.Span)), BridgeJson.Default.MemoryValueAnswer));

    private static async Task WriteAsync(HttpContext http, Location location, IValueForm form)
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

        await http.AskAsCallerAsync(
            new WriteMemory(location, new ReadOnlySequence<byte>(bytes)), MemoryEndpoints.WriteFramesAsync, MemoryEndpoints.TimeFor(bytes.Length));
    }
}
