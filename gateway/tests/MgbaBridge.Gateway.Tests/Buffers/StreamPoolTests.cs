using System.Net;
using System.Net.Http.Headers;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Buffers;

[Collection(nameof(Alone))]
public sealed class StreamPoolTests
{
    private static long InUse => StreamPool.Manager.SmallPoolInUseSize + StreamPool.Manager.LargePoolInUseSize;

    [Fact]
    public void Rent_OfADisposedStream_ReusesItsBlocks()
    {
        using (var first = StreamPool.Rent("test"))
        {
            first.Write(new byte[3 * StreamPool.BlockSize]);
        }

        var created = 0L;
        EventHandler<Microsoft.IO.RecyclableMemoryStreamManager.BlockCreatedEventArgs> count = (_, _) => created++;
        StreamPool.Manager.BlockCreated += count;
        var blocks = new byte[StreamPool.BlockSize];
        using (var second = StreamPool.Rent("test"))
        {
            for (var block = 0; block < 3; block++)
            {
                second.Write(blocks);
            }
        }

        StreamPool.Manager.BlockCreated -= count;
        Assert.Equal(0, created);
    }

    [Fact]
    public async Task Requests_OfEveryKindThatUsesThePool_ReturnAllOfIt()
    {
        await CollectLostAsync();
        var leaked = 0;
        StreamPool.Manager.StreamFinalized += (_, _) => Interlocked.Increment(ref leaked);
        await using var play = await Play.StartAsync();
        await SendAsync(play, HttpMethod.Get, "/v2/screen?scale=3");
        await SendAsync(play, HttpMethod.Get, "/v2/screen?format=raw");
        await SendAsync(play, HttpMethod.Get, "/metrics");
        var state = await SendAsync(play, HttpMethod.Get, "/v2/state");
        foreach (var key in new[] { "one", "one", "two" })
        {
            await SendAsync(play, HttpMethod.Put, "/v2/state", state, key);
        }

        await SendAsync(play, HttpMethod.Put, "/v2/state", [1, 2, 3], "broken", status: HttpStatusCode.UnprocessableEntity);
        var id = (await play.AskGatewayAsync(HttpMethod.Post, "/v2/recordings", """{"hashEvery":30}""")).GetProperty("id").GetString();
        var recording = await SendAsync(play, HttpMethod.Get, $"/v2/recordings/{id}");
        Assert.Equal((byte)'\n', recording[^1]);
        await Eventually.Is(() => InUse == 0);
        await CollectLostAsync();
        Assert.Equal(0, leaked);
    }

    // what other tests did not dispose
    private static Task CollectLostAsync() => Eventually.Is(() =>
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return InUse == 0;
    });

    private static async Task<byte[]> SendAsync(
        Play play, HttpMethod method, string path, byte[]? body = null, string? key = null, string? accept = null, HttpStatusCode status = HttpStatusCode.OK)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is not null)
        {
            request.Content = new ByteArrayContent(body) { Headers = { ContentType = new MediaTypeHeaderValue("application/octet-stream") } };
        }

        if (key is not null)
        {
            request.Headers.Add("Idempotency-Key", key);
        }

        if (accept is not null)
        {
            request.Headers.Add("Accept", accept);
        }

        using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
        var bytes = await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        Assert.True(response.StatusCode == status, $"{method} {path}: {response.StatusCode} {System.Text.Encoding.UTF8.GetString(bytes)}");
        return bytes;
    }
}
