using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using Microsoft.Net.Http.Headers;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/core</c>: save states and pictures.</summary>
internal static class CoreStatePaths
{
    private const string Text = "text/plain";
    private const string Bytes = "application/octet-stream";
    private const string Picture = "image/png";

    private static readonly SingleParameter<StateFlags> SaveFlags = QueryParameters.Flags.Or(StateFlags.All);
    private static readonly SingleParameter<StateFlags> LoadFlags = QueryParameters.Flags.Or(StateFlags.DefaultForLoad);

    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths, CompatibilityOptions options)
    {
        paths.Map(
            HttpMethods.Post, "/core/savestateslot", "Saves a state to a slot.",
            QueryParameters.Slot, SaveFlags, static (slot, flags) => new StateSlot(StateMove.Save, slot, flags), PlainText.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/loadstateslot", "Loads a state from a slot.",
            QueryParameters.Slot, LoadFlags, static (slot, flags) => new StateSlot(StateMove.Load, slot, flags), PlainText.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/savestatefile", "Saves a state to a file.",
            QueryParameters.Path, SaveFlags, static (path, flags) => new StateFile(StateMove.Save, path, flags), PlainText.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/loadstatefile", "Loads a state from a file.",
            QueryParameters.Path, LoadFlags, static (path, flags) => new StateFile(StateMove.Load, path, flags), PlainText.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/savestatebuffer", "Returns a state as hex separated by commas, or as bytes for Accept: application/octet-stream.",
            SaveFlags, static flags => new SaveState(flags), paths.Dialect.Bytes<StateFlags>(), "d3,00,00,ea,66,00,00,ea,0c,00,00,ea,fe,ff,ff,ea");
        paths.Map(
            HttpMethods.Post, "/core/loadstatebuffer",
            PlainText.About("Loads a state from the body: hex in brackets as text/plain, or bytes as application/octet-stream.", "true") with
            {
                Body = new Content(Text, null, "\"[d3,00,00,ea,66,00,00,ea,0c,00,00,ea,fe,ff,ff,ea]\""),
            },
            [LoadFlags], http => LoadBuffer(http, options));
        paths.Map(
            HttpMethods.Post, "/core/screenshot", PlainText.About("Writes a screenshot to a PNG file, or returns it for Accept: image/png.", ""),
            [QueryParameters.Path], http => Screenshot(http, options));
    }

    private static Task Screenshot(HttpContext http, CompatibilityOptions options)
    {
        if (PlainText.Accepts(http, Picture))
        {
            return http.SendCompatibleAsync<object?, ReadScreen>(
                null, new ReadScreen(), static (http, _, reply) => PlainText.WriteRawAsync(http, reply.Tail, Picture), options);
        }

        var binding = new QueryBinding(http.Request.QueryString.Value);
        var path = QueryParameters.Path.Bind(ref binding);
        return binding.Status == 0
            ? http.SendCompatibleAsync<object?, SaveScreen>(null, new SaveScreen(path), PlainText.Nothing, options)
            : MgbaHttpFailures.WriteAsync(http, binding.Status, binding.Text).AsTask();
    }

    private static Task LoadBuffer(HttpContext http, CompatibilityOptions options)
    {
        // not by routing, which would answer before the role is checked; what has no type may still be a body
        var type = http.Request.ContentType;
        if (type is null ? http.Request is { ContentLength: null or 0, Headers.TransferEncoding.Count: 0 } : !IsOf(type, Text) && !IsOf(type, Bytes))
        {
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            return Task.CompletedTask;
        }

        var binding = new QueryBinding(http.Request.QueryString.Value);
        var flags = LoadFlags.Bind(ref binding);
        return binding.Status == 0
            ? LoadBufferAsync(http, flags, options)
            : MgbaHttpFailures.WriteAsync(http, binding.Status, binding.Text).AsTask();
    }

    private static async Task LoadBufferAsync(HttpContext http, StateFlags flags, CompatibilityOptions options)
    {
        if (await RawBody.ReadAsync(http) is not { } body)
        {
            return;
        }

        var isRaw = http.Request.ContentType is { } type && IsOf(type, Bytes);
        var buffer = isRaw ? [] : ArrayPool<byte>.Shared.Rent(HexText.MaxBytes(body.Length));
        try
        {
            if (isRaw)
            {
                await LoadAsync(http, body, flags, options);
            }
            else if (HexText.TryRead(body, buffer, out var length))
            {
                await LoadAsync(http, new ReadOnlySequence<byte>(buffer, 0, length), flags, options);
            }
            else
            {
                await MgbaHttpFailures.WriteScriptErrorAsync(
                    http, "The body is not a state; expected bytes in hexadecimal in brackets as from /core/savestatebuffer, such as [d3,00,ea].");
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
            RawBody.Done(http, body);
        }
    }

    private static bool IsOf(string type, string expected) =>
        MediaTypeHeaderValue.TryParse(type, out var media) && media.MediaType.Equals(expected, StringComparison.OrdinalIgnoreCase);

    private static Task LoadAsync(HttpContext http, ReadOnlySequence<byte> state, StateFlags flags, CompatibilityOptions options) =>
        http.SendCompatibleAsync<object?, LoadState>(null, new LoadState(state, flags), PlainText.True, options);
}
