using System.Net.Http.Headers;
using System.Security.Cryptography;
using MgbaBridge.Gateway.Api.Http;

namespace MgbaBridge.Gateway.Mcp.Server;

/// <summary>The gateway that messages of standard input are forwarded to.</summary>
/// <param name="gateway">Its URL.</param>
/// <param name="token">Its token, or null.</param>
internal sealed class StdioGateway(Uri gateway, AuthenticationHeaderValue? token) : IDisposable
{
    // all sessions of this process are of one agent
    private readonly string _holder = $"stdio-{RandomNumberGenerator.GetHexString(8, lowercase: true)}";
    private readonly HttpMessageInvoker _http = new(new SocketsHttpHandler { UseProxy = false, UseCookies = false, AllowAutoRedirect = false, ConnectTimeout = TimeSpan.FromSeconds(5) });

    /// <summary>Where messages are sent.</summary>
    public Uri Url { get; } = new(gateway, McpEndpoint.Path);

    /// <summary>Sends a message. Its answer comes as a stream.</summary>
    public async Task<HttpResponseMessage> PostAsync(StdioMessage message, string? session, string? version, CancellationToken cancelled)
    {
        using var request = Request(HttpMethod.Post, session, message.Version ?? version);
        request.Content = new ByteArrayContent(message.Utf8) { Headers = { ContentType = new MediaTypeHeaderValue("application/json") } };
        return await _http.SendAsync(request, cancelled);
    }

    /// <summary>Opens the stream of a session, or ends the session.</summary>
    public async Task<HttpResponseMessage> SendAsync(HttpMethod method, string session, string? version, CancellationToken cancelled)
    {
        using var request = Request(method, session, version);
        return await _http.SendAsync(request, cancelled);
    }

    /// <summary>The text of a call whose gateway does not answer.</summary>
    public string Away(string reason) =>
        $"The gateway at {Url} does not answer: {reason} If it was doing something, that may have had its effect. Next: ask the person to start mgba-bridge, then call observe.";

    /// <summary>Why the gateway has refused a message.</summary>
    public static async Task<string> ReasonAsync(HttpResponseMessage response) =>
        StdioMessage.ReasonIn(await response.Content.ReadAsStringAsync()) ?? $"The gateway answered with status {(int)response.StatusCode}.";

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private HttpRequestMessage Request(HttpMethod method, string? session, string? version)
    {
        var request = new HttpRequestMessage(method, Url);
        request.Headers.Authorization = token;
        request.Headers.Accept.ParseAdd("application/json, text/event-stream");
        request.Headers.Add(HolderHeader.Name, _holder);
        if (session is not null)
        {
            request.Headers.Add(McpEndpoint.SessionHeader, session);
        }

        if (version is not null)
        {
            request.Headers.TryAddWithoutValidation(McpEndpoint.VersionHeader, version);
        }

        return request;
    }
}
