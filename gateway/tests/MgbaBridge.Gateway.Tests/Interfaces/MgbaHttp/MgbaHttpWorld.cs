using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.MgbaHttp;

/// <summary>A real core with our test ROM, the shipped script and the gateway, shared by the tests of a class.</summary>
public sealed class MgbaHttpWorld : IAsyncLifetime
{
    private HeadlessEmulator? _emulator;
    private GatewayHost? _gateway;

    internal HeadlessEmulator Emulator => _emulator!;

    internal string Folder => _emulator!.Folder;

    public async ValueTask InitializeAsync()
    {
        _emulator = await HeadlessEmulator.StartAsync();
        _gateway = await GatewayHost.ReadyAsync(_emulator.Port, ("Emulators:0:Nonce", _emulator.Nonce));
        await ComesTrueAsync("GET /core/readrange?address=0x02000000&length=4", "4d,42,54,31");
    }

    public async ValueTask DisposeAsync()
    {
        await _gateway!.DisposeAsync();
        await _emulator!.DisposeAsync();
    }

    /// <summary>Another gateway to the same emulator.</summary>
    internal Task<GatewayHost> AnotherAsync(params (string Key, string Value)[] settings) =>
        GatewayHost.ReadyAsync(_emulator!.Port, [("Emulators:0:Nonce", _emulator.Nonce), .. settings]);

    /// <summary>Calls <c>METHOD path</c>; <c>{folder}</c> in the path is the folder whose files may be touched.</summary>
    internal Task<Said> CallAsync(string call, string? body = null, string? type = null) =>
        CallAsync(_gateway!.Client, call.Replace("{folder}", Uri.EscapeDataString(Folder), StringComparison.Ordinal), body, type);

    internal static async Task<Said> CallAsync(HttpClient client, string call, string? body = null, string? type = null)
    {
        var parts = call.Split(' ', 2);
        using var request = new HttpRequestMessage(HttpMethod.Parse(parts[0]), new Uri(parts[1], UriKind.Relative));
        if (body is not null)
        {
            request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));
            request.Content.Headers.ContentType = type is null ? null : MediaTypeHeaderValue.Parse(type);
        }

        using var response = await client.SendAsync(request, TestContext.Current.CancellationToken);
        var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        return new Said((int)response.StatusCode, response.Content.Headers.ContentType?.ToString(), text);
    }

    /// <summary>Calls and answers with the bytes and their type.</summary>
    internal async Task<(byte[] Bytes, string? Type)> BytesAsync(string call, string accept)
    {
        var parts = call.Split(' ', 2);
        using var request = new HttpRequestMessage(HttpMethod.Parse(parts[0]), new Uri(parts[1], UriKind.Relative));
        request.Headers.Accept.ParseAdd(accept);
        using var response = await _gateway!.Client.SendAsync(request, TestContext.Current.CancellationToken);
        return (await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken), response.Content.Headers.ContentType?.ToString());
    }

    internal async Task<long> NumberAsync(string call) => long.Parse((await CallAsync(call)).Body, CultureInfo.InvariantCulture);

    /// <summary>Repeats a request until the response is as expected.</summary>
    internal async Task ComesTrueAsync(string call, string body)
    {
        var last = default(Said);
        for (var since = TimeProvider.System.GetTimestamp(); TimeProvider.System.GetElapsedTime(since) < TimeSpan.FromSeconds(30);)
        {
            last = await CallAsync(call);
            if (last == Said.Ok(body))
            {
                return;
            }

            await Task.Delay(5, TestContext.Current.CancellationToken);
        }

        Assert.Fail($"{call} never became {body}; last it was {last}");
    }

    /// <summary>Calls each in its turn and tells all that are not as written.</summary>
    internal async Task AllAsync(IEnumerable<(string Call, Said Expected)> rows)
    {
        var wrong = new List<string>();
        foreach (var (call, expected) in rows)
        {
            var said = (await CallAsync(call)).FirstLine();
            if (said != expected)
            {
                wrong.Add($"{call}\n  expected {expected}\n  answered {said}");
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }
}
