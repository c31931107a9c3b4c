using System.Net.Http.Headers;
using System.Text.Json;

namespace MgbaBridge.Gateway.Benchmarks.Lockstep;

/// <summary>Steps by HTTP.</summary>
internal sealed class HttpStepper(Uri gateway) : IStepper
{
    private const string Holder = "lockstep-http";
    private static readonly byte[] Body = """{"frames":1,"items":[{"read":{"location":"0x02000008","type":"u32"}}]}"""u8.ToArray();

    private readonly HttpClient _client = new() { BaseAddress = gateway, DefaultRequestHeaders = { { "Mgba-Holder", Holder } } };

    public string Name => "HTTP";

    public WaitMode WaitMode => WaitMode.Block;

    public async Task TakeAsync()
    {
        using var answer = await _client.PostAsync(new Uri("v2/lease", UriKind.Relative), null);
        answer.EnsureSuccessStatusCode();
    }

    public async Task<uint> StepAsync()
    {
        using var content = new ByteArrayContent(Body) { Headers = { ContentType = new MediaTypeHeaderValue("application/json") } };
        using var answer = await _client.PostAsync(new Uri("v2/lease/step", UriKind.Relative), content);
        answer.EnsureSuccessStatusCode();
        using var document = JsonDocument.Parse(await answer.Content.ReadAsByteArrayAsync());
        return document.RootElement.GetProperty("results")[0].GetProperty("value").GetUInt32();
    }

    public async ValueTask DisposeAsync()
    {
        using var answer = await _client.DeleteAsync(new Uri("v2/lease", UriKind.Relative));
        _client.Dispose();
    }
}
