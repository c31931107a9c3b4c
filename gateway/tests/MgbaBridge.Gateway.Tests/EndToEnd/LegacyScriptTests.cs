using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>An older script, which knows mGBA-http's messages and not our hello.</summary>
public sealed class LegacyScriptTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task OlderScript_InARealCore_IsDrivenByItsOwnMessages()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(Clients.FreePort(), script: "loadtest/baseline.lua");
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port);
        Assert.Equal("77", await gateway.Client.GetStringAsync(new Uri("/core/read8?address=0x02000000", UriKind.Relative), Cancelled));
        var cell = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/memory/0x02000001/u8", Cancelled);
        Assert.Equal((int)'B', cell.GetProperty("value").GetInt32());
        using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/memory/0x02000000?length=40000");
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/octet-stream"));
        using var answer = await gateway.Client.SendAsync(request, Cancelled);
        var bytes = await answer.Content.ReadAsByteArrayAsync(Cancelled);
        Assert.Equal((40_000, "MBT1"), (bytes.Length, Encoding.ASCII.GetString(bytes[..4])));

        // answers have no ids, and yet everybody gets his own
        var places = await Task.WhenAll(Enumerable.Range(0, 64).Select(place =>
            gateway.Client.GetStringAsync(new Uri($"/core/read8?address={0x02000000 + (place % 8)}", UriKind.Relative), Cancelled)));
        Assert.Equal(Enumerable.Range(0, 64).Select(place => $"{bytes[place % 8]}"), places);

        using var tap = await gateway.Client.PostAsync(new Uri("/mgba-http/button/tap?button=A", UriKind.Relative), null, Cancelled);
        Assert.Equal(HttpStatusCode.OK, tap.StatusCode);
        var edges = 0;
        while (edges == 0)
        {
            edges = int.Parse(await gateway.Client.GetStringAsync(new Uri("/core/read8?address=0x02000020", UriKind.Relative), Cancelled), System.Globalization.CultureInfo.InvariantCulture);
        }

        Assert.Equal(1, edges);
    }

    [Fact]
    public async Task Command_WithoutAnOlderForm_SaysWhatScriptToLoad()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(Clients.FreePort(), script: "loadtest/baseline.lua");
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port);
        using var answer = await gateway.Client.GetAsync(new Uri("/v2/game", UriKind.Relative), Cancelled);
        var problem = await answer.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.Equal((HttpStatusCode.BadGateway, "urn:mgba-bridge:problem:wrong-version"), (answer.StatusCode, problem.GetProperty("type").GetString()));
        Assert.Contains("Load lua/mgba-bridge.lua", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);

        // it has a form, but this script does not know it
        using var refused = await gateway.Client.PutAsJsonAsync("/v2/memory/0x02030000/u8", new { value = 5 }, Cancelled);
        Assert.Equal(HttpStatusCode.BadRequest, refused.StatusCode);
    }

    [Fact]
    public async Task Effect_WhoseConnectionBreaks_IsNotSentAgain()
    {
        using var peer = new OlderPeer();
        await using var client = Clients.To(peer.Port, new() { MaxAttempts = 5 });
        using (var read = await client.SendAsync(Clients.ReadByte(0), default, Cancelled))
        {
            Assert.Equal(5, ReadCell.Parse(read));
        }

        using (var write = await client.SendAsync(Clients.WriteByte(0, 1), default, Cancelled))
        {
            Assert.Equal(Failure.Indeterminate, write.Failure?.Failure);
        }

        Assert.Equal(1, peer.Writes);
        await Task.WhenAll(Enumerable.Range(0, 200).Select(async place =>
        {
            using var read = await client.SendAsync(Clients.ReadByte(place), default, Cancelled);
            Assert.Equal(5, ReadCell.Parse(read));
        }));
        Assert.Equal(1, peer.MaxAtOnce);
    }

    [Fact]
    public async Task OlderScript_WhereASecretOrANonceIsWanted_IsNotTaken()
    {
        using var peer = new OlderPeer();
        await using var client = Clients.To(peer.Port, nonce: "mine");
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Equal(Failure.WrongVersion, reply.Failure?.Failure);
        Assert.Equal(EmulatorState.WrongVersion, client.Health.State);
    }

    /// <summary>Answers as an older script does, and breaks off in the middle of a write.</summary>
    private sealed class OlderPeer : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private int _writes;
        private int _mostAtOnce;

        public OlderPeer()
        {
            _listener.Start();
            _ = _listener.ServeEachAsync(ServeAsync);
        }

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public int Writes => Volatile.Read(ref _writes);

        public int MaxAtOnce => Volatile.Read(ref _mostAtOnce);

        public void Dispose() => _listener.Dispose();

        private async Task ServeAsync(Socket socket)
        {
            using var client = socket;
            var buffer = new byte[4_096];
            for (int count; (count = await client.ReceiveAsync(buffer)) > 0;)
            {
                var messages = Encoding.UTF8.GetString(buffer, 0, count).Split("<|END|>", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
                _mostAtOnce = Math.Max(_mostAtOnce, messages.Length);
                if (messages[0].StartsWith("core.write8,", StringComparison.Ordinal))
                {
                    Interlocked.Increment(ref _writes);
                    return;
                }

                var answer = messages[0].StartsWith("core.", StringComparison.Ordinal) ? "5" : "<|ERROR|>";
                await client.SendAsync(Encoding.UTF8.GetBytes(answer + "<|END|>"));
            }
        }
    }
}
