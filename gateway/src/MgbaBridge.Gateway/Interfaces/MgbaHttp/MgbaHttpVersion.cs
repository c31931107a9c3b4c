using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>A version of mGBA-http, and what it writes or reads otherwise than the newest one. docs/compatibility.md lists all differences.</summary>
/// <param name="Minor">The number after <c>0.</c></param>
/// <param name="Patch">The number after that; the last patch where none is given.</param>
internal readonly record struct MgbaHttpVersion(int Minor, int Patch)
{
    private const int NewestMinor = 10;

    /// <summary>Bytes go out as they are, as UTF-8 text with replacement characters; from 0.4 on as a list.</summary>
    public bool WritesRawText => Minor < 4;

    /// <summary>Bytes, registers and names of domains are JSON.</summary>
    public bool WritesJson => Minor is >= 4 and < 8;

    /// <summary>Whether <c>/mgba-http/extension/loadfile</c> answers <c>true</c>.</summary>
    public bool ReportsLoadResult => Minor >= 8;

    /// <summary>16 and 32 bit values to write have a sign.</summary>
    public bool TakesSignedValues => Minor < 8 || (Minor == 8 && Patch < 1);

    /// <summary>Reads <c>0.7</c> or <c>0.8.1</c>.</summary>
    public static bool TryParse(string text, out MgbaHttpVersion version)
    {
        var parts = text.Split('.');
        Span<int> numbers = [-1, -1, int.MaxValue];
        for (var part = 0; part < parts.Length; part++)
        {
            if (part >= numbers.Length || !int.TryParse(parts[part], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[part]))
            {
                version = default;
                return false;
            }
        }

        version = new MgbaHttpVersion(numbers[1], numbers[2]);
        return numbers[0] == 0 && version.Minor is >= 1 and <= NewestMinor;
    }
}

/// <summary>The answers whose format changed between versions of mGBA-http.</summary>
internal static class DialectText
{
    private const string Json = "application/json; charset=utf-8";
    private const int MaxByte = 4;
    private const int Slice = 1_024;
    private const int SlicesPerFlush = 64;

    /// <summary>Bytes: <c>d3,00</c>; <c>[211,0]</c> from 0.4 to 0.7; themselves as UTF-8 text before. Raw if the caller accepts that.</summary>
    public static Render<TArguments> Bytes<TArguments>(this MgbaHttpVersion version)
    {
        if (version.WritesJson)
        {
            return static (http, arguments, reply) => PlainText.AcceptsBytes(http) ? PlainText.Hex(http, arguments, reply) : WriteNumbersAsync(http, reply.Tail);
        }

        return version.WritesRawText
            ? static (http, arguments, reply) => PlainText.AcceptsBytes(http)
                ? PlainText.Hex(http, arguments, reply)
                : PlainText.WriteAsync(http, Encoding.UTF8.GetString(reply.Tail.Span))
            : PlainText.Hex;
    }

    /// <summary>A register: text, but JSON from 0.4 to 0.7.</summary>
    public static Render<string> Register(this MgbaHttpVersion version) => version.WritesJson
        ? static (http, _, reply) => PlainText.WriteAsync(http, $"{(int)ReadRegister.Parse(reply)}", Json)
        : static (http, _, reply) => PlainText.WriteAsync(http, (int)ReadRegister.Parse(reply));

    /// <summary>The ids of the memory domains with commas between, but a JSON array from 0.4 to 0.7.</summary>
    public static Render<object?> Domains(this MgbaHttpVersion version) => version.WritesJson
        ? static (http, _, reply) => PlainText.WriteAsync(http, $"[{string.Join(',', ListDomains.Parse(reply).Select(domain => $"\"{domain.Id}\""))}]", Json)
        : PlainText.Text(static reply => string.Join(',', ListDomains.Parse(reply).Select(domain => domain.Id)));

    /// <summary>Success in loading a game: <c>true</c>, but nothing before 0.8.</summary>
    public static Render<string> Loaded(this MgbaHttpVersion version) => version.ReportsLoadResult ? PlainText.True : PlainText.Nothing;

    /// <summary>A value of two or four bytes: unsigned, but signed too before 0.8.1.</summary>
    public static SingleParameter<uint> Value(this MgbaHttpVersion version) => version.TakesSignedValues ? QueryParameters.AnyValue : QueryParameters.UnsignedValue;

    private static async ValueTask WriteNumbersAsync(HttpContext http, ReadOnlyMemory<byte> bytes)
    {
        var body = http.Response.BodyWriter;
        http.Response.ContentType = Json;
        body.Write("["u8);
        for (var at = 0; at < bytes.Length; at += Slice)
        {
            var slice = bytes.Slice(at, Math.Min(Slice, bytes.Length - at));
            Append(body, slice.Span, isFirst: at == 0);
            if (at / Slice % SlicesPerFlush == SlicesPerFlush - 1)
            {
                await body.FlushAsync(http.RequestAborted);
            }
        }

        body.Write("]"u8);
    }

    private static void Append(PipeWriter body, ReadOnlySpan<byte> bytes, bool isFirst)
    {
        var space = body.GetSpan(bytes.Length * MaxByte);
        var at = 0;
        foreach (var value in bytes)
        {
            if (at > 0 || !isFirst)
            {
                space[at++] = (byte)',';
            }

            Utf8Formatter.TryFormat(value, space[at..], out var length);
            at += length;
        }

        body.Advance(at);
    }
}
