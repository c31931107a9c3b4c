using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>The gateway in front of the real core with the test ROM running, and shorthand for requests to it.</summary>
internal sealed class Play : IAsyncDisposable
{
    public const long Magic = 0x02000000;
    public const string FrameCounter = "0x02000008";
    public const string Scratch = "0x02001000";

    private readonly HeadlessEmulator _emulator;

    private TimeSpan _usualSilenceTimeout;

    private Play(HeadlessEmulator emulator, GatewayHost gateway) => (_emulator, Gateway) = (emulator, gateway);

    public GatewayHost Gateway { get; }

    public HeadlessEmulator Emulator => _emulator;

    public HttpClient Client => Gateway.Client;

    /// <summary>Where the script allows files.</summary>
    public string Folder => _emulator.Folder;

    /// <summary>Starts both and waits until the ROM runs.</summary>
    public static async Task<Play> StartAsync(params (string Key, string Value)[] settings) => await StartAsync(await HeadlessEmulator.StartAsync(), settings);

    /// <summary>The same with other services, or with values that are no settings.</summary>
    public static async Task<Play> StartAsync(Action<IServiceCollection> change, params (string Key, string Value)[] settings) =>
        await StartAsync(await HeadlessEmulator.StartAsync(), change, settings);

    /// <summary>The same with the test ROM of the Game Boy.</summary>
    public static async Task<Play> StartGameBoyAsync(params (string Key, string Value)[] settings) =>
        await StartAsync(await HeadlessEmulator.StartAsync(game: "mgba-bridge-test.gb"), settings);

    /// <summary>The same with an emulator that runs, which then belongs to the result.</summary>
    public static Task<Play> StartAsync(HeadlessEmulator emulator, params (string Key, string Value)[] settings) => StartAsync(emulator, null, settings);

    private static async Task<Play> StartAsync(HeadlessEmulator emulator, Action<IServiceCollection>? change, (string Key, string Value)[] settings) =>
        new(emulator, await GatewayHost.ReadyAsync(emulator.Port, change, [("Owned:DataFolder", Path.Combine(emulator.Folder, "data")), .. settings]));

    /// <summary>Stops the emulator; without a sign from it for this time, it is silent.</summary>
    public async Task StopEmulatorAsync(TimeSpan silenceTimeout)
    {
        _usualSilenceTimeout = Gateway.SilenceTimeout;
        await _emulator.StopAsync();
        Gateway.SilenceTimeout = silenceTimeout;
    }

    /// <summary>Resumes it, and gives it the time that a busy machine takes.</summary>
    public void ContinueEmulator()
    {
        _emulator.Continue();
        Gateway.SilenceTimeout = _usualSilenceTimeout;
    }

    public Task<JsonElement> GetAsync(string path) => SendAsync(HttpMethod.Get, path);

    /// <summary>Sends JSON and takes JSON, with the status that is expected and, of an answer, its frame in the headers.</summary>
    public async Task<JsonElement> SendAsync(HttpMethod method, string path, string? json = null, string? holder = null, HttpStatusCode status = HttpStatusCode.OK)
    {
        var (response, answer) = await RequestAsync(method, path, json, holder, status);
        using var _ = response;
        if (status == HttpStatusCode.OK)
        {
            Assert.Equal(answer.GetProperty("frame").GetInt64().ToString(), response.Headers.GetValues("Mgba-Frame").Single());
            Assert.Equal(answer.GetProperty("epoch").GetString(), response.Headers.GetValues("Mgba-Epoch").Single());
        }
        else
        {
            Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
            Assert.NotEqual("", answer.GetProperty("detail").GetString());
        }

        return answer;
    }

    /// <summary>The same of what the gateway knows by itself, which belongs to no frame.</summary>
    public async Task<JsonElement> AskGatewayAsync(HttpMethod method, string path, string? json = null)
    {
        var (response, answer) = await RequestAsync(method, path, json, null, HttpStatusCode.OK);
        response.Dispose();
        return answer;
    }

    public Task<HttpResponseMessage> RawAsync(HttpMethod method, string path, HttpContent? content = null, string? holder = null)
    {
        var request = new HttpRequestMessage(method, path) { Content = content };
        if (holder is not null)
        {
            request.Headers.Add("Mgba-Holder", holder);
        }

        return Client.SendAsync(request, TestContext.Current.CancellationToken);
    }

    public static ByteArrayContent Bytes(byte[] bytes) => new(bytes) { Headers = { ContentType = new MediaTypeHeaderValue("application/octet-stream") } };

    public async Task<long> ReadAsync(string location, string type = "u32") => (await GetAsync($"/v2/memory/{location}/{type}")).GetProperty("value").GetInt64();

    /// <summary>How often the ROM saw a key go down: 0 is A, then B, Select, Start, Right, Left, Up, Down, R, L.</summary>
    public Task<long> EdgesAsync(int key) => ReadAsync($"0x{0x02000020 + (key * 4):X8}");

    public Task WaitAsync(int frames) => SendAsync(HttpMethod.Post, "/v2/wait", $$"""{"frames":{{frames}}}""");

    public async ValueTask DisposeAsync()
    {
        await Gateway.DisposeAsync();
        await _emulator.DisposeAsync();
    }

    private async Task<(HttpResponseMessage Response, JsonElement Answer)> RequestAsync(HttpMethod method, string path, string? json, string? holder, HttpStatusCode status)
    {
        var response = await RawAsync(method, path, json is null ? null : new StringContent(json, Encoding.UTF8, "application/json"), holder);
        var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.True(response.StatusCode == status, $"{method} {path} {json} answered {(int)response.StatusCode}: {text}");
        return (response, JsonDocument.Parse(text).RootElement);
    }
}
