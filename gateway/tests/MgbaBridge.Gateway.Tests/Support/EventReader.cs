using System.Text.Json;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Reads server-sent events one at a time.</summary>
internal sealed class EventReader : IDisposable
{
    private readonly HttpResponseMessage _response;
    private readonly StreamReader _lines;

    private EventReader(HttpResponseMessage response, StreamReader lines) => (_response, _lines) = (response, lines);

    public static async Task<EventReader> OpenAsync(HttpClient client, string topics, string? after = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, $"/v2/events?topics={topics}");
        if (after is not null)
        {
            request.Headers.Add("Last-Event-ID", after);
        }

        var response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken);
        Assert.Equal("text/event-stream", response.Content.Headers.ContentType?.MediaType);
        return new EventReader(response, new StreamReader(await response.Content.ReadAsStreamAsync(TestContext.Current.CancellationToken)));
    }

    public async Task<(string? Id, string Kind, JsonElement Data)> NextAsync()
    {
        var (id, kind) = ((string?)null, "");
        while (await _lines.ReadLineAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken) is { } line)
        {
            if (line.StartsWith("id: ", StringComparison.Ordinal))
            {
                id = line[4..];
            }
            else if (line.StartsWith("event: ", StringComparison.Ordinal))
            {
                kind = line[7..];
            }
            else if (line.StartsWith("data: ", StringComparison.Ordinal))
            {
                return (id, kind, JsonDocument.Parse(line[6..]).RootElement);
            }
        }

        throw new EndOfStreamException("The stream ended.");
    }

    /// <summary>The next event of this kind.</summary>
    public async Task<(string? Id, string Kind, JsonElement Data)> NextAsync(string kind)
    {
        while (true)
        {
            var received = await NextAsync();
            if (received.Kind == kind)
            {
                return received;
            }
        }
    }

    public void Dispose()
    {
        _lines.Dispose();
        _response.Dispose();
    }
}
