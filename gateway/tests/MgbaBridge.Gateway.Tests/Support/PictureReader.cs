using System.Globalization;
using System.Text;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Reads a multipart stream of pictures one at a time.</summary>
internal sealed class PictureReader : IDisposable
{
    private readonly HttpResponseMessage _response;
    private readonly Stream _stream;

    private PictureReader(HttpResponseMessage response, Stream stream) => (_response, _stream) = (response, stream);

    public static async Task<PictureReader> OpenAsync(HttpClient client, string fps)
    {
        var response = await client.GetAsync($"/v2/screen/stream?fps={fps}", HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken);
        Assert.Equal("multipart/x-mixed-replace; boundary=mgba-bridge-picture", response.Content.Headers.ContentType?.ToString());
        var reader = new PictureReader(response, new BufferedStream(await response.Content.ReadAsStreamAsync(TestContext.Current.CancellationToken)));
        Assert.Equal("--mgba-bridge-picture", await reader.LineAsync());
        return reader;
    }

    /// <summary>The next picture and its frame.</summary>
    public async Task<(long Frame, byte[] Png)> NextAsync()
    {
        var headers = new Dictionary<string, string>();
        for (var line = await LineAsync(); line.Length > 0; line = await LineAsync())
        {
            var colon = line.IndexOf(": ", StringComparison.Ordinal);
            headers.Add(line[..colon], line[(colon + 2)..]);
        }

        Assert.Equal("image/png", headers["Content-Type"]);
        var png = new byte[int.Parse(headers["Content-Length"], CultureInfo.InvariantCulture)];
        await _stream.ReadExactlyAsync(png, TestContext.Current.CancellationToken);
        Assert.Equal("", await LineAsync());
        Assert.Equal("--mgba-bridge-picture", await LineAsync());
        return (long.Parse(headers["Mgba-Frame"], CultureInfo.InvariantCulture), png);
    }

    /// <summary>Reads pictures until the gateway ends the stream. Returns its reason.</summary>
    public async Task<string> EndAsync()
    {
        for (var line = await LineAsync(); line != "Content-Type: text/plain"; line = await LineAsync())
        {
            while (!line.StartsWith("Content-Length: ", StringComparison.Ordinal))
            {
                line = await LineAsync();
            }

            while ((await LineAsync()).Length > 0)
            {
            }

            await _stream.ReadExactlyAsync(new byte[int.Parse(line[16..], CultureInfo.InvariantCulture)], TestContext.Current.CancellationToken);
            Assert.Equal("", await LineAsync());
            Assert.Equal("--mgba-bridge-picture", await LineAsync());
        }

        Assert.Equal("", await LineAsync());
        var reason = await LineAsync();
        Assert.Equal("--mgba-bridge-picture--", await LineAsync());
        Assert.Equal(-1, _stream.ReadByte());
        return reason;
    }

    public void Dispose()
    {
        _stream.Dispose();
        _response.Dispose();
    }

    private async Task<string> LineAsync()
    {
        var line = new StringBuilder();
        var one = new byte[1];
        while (!line.ToString().EndsWith("\r\n", StringComparison.Ordinal))
        {
            await _stream.ReadExactlyAsync(one, TestContext.Current.CancellationToken);
            line.Append((char)one[0]);
        }

        return line.ToString()[..^2];
    }
}
