using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using System.Net;
using System.Net.Http.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.States;

/// <summary>States that hang a real mGBA core, by every way into the gateway: each is refused, and the game keeps running (docs/states.md).</summary>
public sealed class StateSafetyTests
{
    private const int CoreLength = 0x61000;
    private const int Vcount = 0x406;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("a table that points at itself")]
    [InlineData("VCOUNT 0x300")]
    public async Task StateThatHangs_ByEveryWay_IsRefusedAndTheGameGoesOn(string name)
    {
        await using var play = await Play.StartAsync();
        var good = await play.Client.GetByteArrayAsync("/v2/state", Cancelled);
        var bad = Spoilt(good, name);
        var text = Convert.ToBase64String(bad);

        using var put = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(bad));
        Assert.Equal(HttpStatusCode.UnprocessableEntity, put.StatusCode);
        Assert.Contains("not-a-state", await put.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);

        using var batch = await play.Client.PostAsJsonAsync("/v2/batch", new { items = new[] { new { loadState = text } } }, Cancelled);
        Assert.Contains("not-a-state", await batch.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);

        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.SendAsync($$$"""{"id":1,"op":"state.load","body":{"bytes":"{{{text}}}"}}""");
        Assert.Contains("not-a-state", (await socket.NextAsync()).GetRawText(), StringComparison.Ordinal);

        await File.WriteAllBytesAsync(Path.Combine(play.Folder, "bad.ss"), bad, Cancelled);
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=bad.ss", status: HttpStatusCode.UnprocessableEntity);

        using var compatible = await play.Client.PostAsync(
            "/core/loadstatebuffer", new StringContent("[" + string.Join(',', bad.Select(value => value.ToString("x2"))) + "]"), Cancelled);
        Assert.NotEqual("true", await compatible.Content.ReadAsStringAsync(Cancelled));

        using var picture = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(Picture(bad.AsSpan(0, CoreLength))));
        Assert.Equal(name.StartsWith('V') ? HttpStatusCode.UnprocessableEntity : HttpStatusCode.OK, picture.StatusCode);

        await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"frames":5}""");
    }

    [Fact]
    public async Task PngState_IsUnpackedBeforeItIsSent_AlsoInABatch()
    {
        await using var play = await Play.StartAsync();
        var png = await play.Client.GetByteArrayAsync("/v2/state?flags=31", Cancelled);
        using var put = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(png));
        Assert.Equal(HttpStatusCode.OK, put.StatusCode);
        using var batch = await play.Client.PostAsJsonAsync("/v2/batch", new { items = new[] { new { loadState = png } } }, Cancelled);
        Assert.DoesNotContain("not-a-state", await batch.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.OK, batch.StatusCode);
        using var damaged = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(png[..(png.Length / 2)]));
        Assert.Equal(HttpStatusCode.UnprocessableEntity, damaged.StatusCode);
    }

    [Fact]
    public void Unpack_OfAPng_GivesTheStateAndItsExtraData()
    {
        var core = new byte[CoreLength];
        core[5] = 7;
        var raw = Unpacked(Picture(core, (2, 3, [1, 2, 3]), (1, 4, [9, 9, 9, 9]), (4, 1, [8])));
        Assert.Equal(core, raw[..CoreLength]);
        Assert.Equal([2, 0, 0, 0, 3, 0, 0, 0, .. Offset(CoreLength + 48)], raw[CoreLength..(CoreLength + 16)]);
        Assert.Equal([4, 0, 0, 0, 1, 0, 0, 0, .. Offset(CoreLength + 51)], raw[(CoreLength + 16)..(CoreLength + 32)]);
        Assert.Equal([.. new byte[16], 1, 2, 3, 8], raw[(CoreLength + 32)..]);
    }

    [Fact]
    public void Unpack_OfADamagedPng_LeavesTheSignature()
    {
        var good = Picture(new byte[100]);
        byte[][] damaged =
        [
            good[..^14], Picture(new byte[CoreLength + 1]), Picture(new byte[10_000_000]), Picture(new byte[100], (2, 3, new byte[4])),
            Picture(new byte[100], (2, int.MaxValue, new byte[4])), Picture(new byte[100], (2, 5, new byte[4])), [.. good[..20], 0xFF, 0xFF, .. good[22..]], good[..8],
        ];
        Assert.All(damaged, png => Assert.Equal(good[..8], Unpacked(png)));
        Assert.Equal(new byte[] { 1, 2, 3 }, Unpacked([1, 2, 3]));
    }

    private static byte[] Spoilt(byte[] good, string name)
    {
        var bad = good[..];
        if (name.StartsWith('V'))
        {
            BinaryPrimitives.WriteUInt16LittleEndian(bad.AsSpan(Vcount), 0x300);
            return bad;
        }

        BinaryPrimitives.WriteInt32LittleEndian(bad.AsSpan(CoreLength), 2);
        BinaryPrimitives.WriteInt32LittleEndian(bad.AsSpan(CoreLength + 4), -1);
        BinaryPrimitives.WriteInt64LittleEndian(bad.AsSpan(CoreLength + 8), CoreLength);
        return bad;
    }

    private static byte[] Unpacked(byte[] state) => PngState.Unpack(new ReadOnlySequence<byte>(state)).ToArray();

    private static byte[] Offset(long value) => BitConverter.GetBytes(value);

    private static byte[] Picture(ReadOnlySpan<byte> core, params (int Tag, int Stated, byte[] Data)[] extra)
    {
        var png = new MemoryStream();
        png.Write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]);
        Write(png, "gbAs"u8, Packed(core));
        foreach (var (tag, stated, data) in extra)
        {
            Write(png, "gbAx"u8, [.. BitConverter.GetBytes(tag), .. BitConverter.GetBytes(stated), .. Packed(data)]);
        }

        Write(png, "IEND"u8, []);
        return png.ToArray();
    }

    private static byte[] Packed(ReadOnlySpan<byte> data)
    {
        var packed = new MemoryStream();
        using (var stream = new ZLibStream(packed, CompressionLevel.Fastest))
        {
            stream.Write(data);
        }

        return packed.ToArray();
    }

    private static void Write(MemoryStream png, ReadOnlySpan<byte> kind, byte[] data)
    {
        Span<byte> length = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(length, data.Length);
        png.Write(length);
        png.Write(kind);
        png.Write(data);
        png.Write([0, 0, 0, 0]);
    }
}
