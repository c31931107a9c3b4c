using System.Buffers;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>A script of mGBA-http, which knows its own messages and not our hello, and ours of another version.</summary>
public sealed class OtherScriptTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task OtherScript_InARealCore_IsNamedAndNotDriven()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(Clients.FreePort(), script: "loadtest/baseline.lua");
        await using var gateway = GatewayHost.Start(emulator.Port);
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.OtherProgram);

        var status = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/status", Cancelled);
        Assert.Equal("other-program", status.GetProperty("state").GetString());
        Assert.Contains("mGBASocketServer.lua", status.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Contains("mgba-bridge.lua", status.GetProperty("detail").GetString(), StringComparison.Ordinal);
        using var answer = await gateway.Client.GetAsync(new Uri("/v2/game", UriKind.Relative), Cancelled);
        var problem = await answer.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.Equal((HttpStatusCode.BadGateway, "urn:mgba-bridge:problem:not-ours"), (answer.StatusCode, problem.GetProperty("type").GetString()));
        Assert.Equal(status.GetProperty("detail").GetString(), problem.GetProperty("detail").GetString());
        using var read = await gateway.Client.GetAsync(new Uri("/core/read8?address=0x02000000", UriKind.Relative), Cancelled);
        Assert.Equal((HttpStatusCode.BadGateway, status.GetProperty("detail").GetString()), (read.StatusCode, await read.Content.ReadAsStringAsync(Cancelled)));
        using var tap = await gateway.Client.PostAsync(new Uri("/mgba-http/button/tap?button=A", UriKind.Relative), null, Cancelled);
        Assert.False(tap.IsSuccessStatusCode);
    }

    [Theory]
    [InlineData(null, "<|ERROR|><|END|>")]
    [InlineData("mine", "<|ERROR|><|END|>")]
    [InlineData(null, "<|SUCCESS|>")]
    [InlineData(null, "<|ACK|>")]
    public async Task OtherScript_ReceivesNothingButAHello(string? nonce, string answer)
    {
        using var peer = new OtherPeer(Encoding.UTF8.GetBytes(answer));
        await using var client = Clients.To(peer.Port, nonce: nonce);

        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);

        Assert.Equal(CommandFailureKind.NotOurs, reply.Failure?.Kind);
        await Eventually.Is(() => client.Health is { State: EmulatorState.OtherProgram, Failure: ErrorCode.OtherScript });
        Assert.All(peer.Messages, static message => Assert.StartsWith("#", message, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("0.0.9", "`mgba-bridge script` writes it")]
    [InlineData("9.0.0", "Update the gateway to 9.0.0")]
    [InlineData("0", "`mgba-bridge script` writes it")]
    public async Task Script_OfAnotherVersion_IsNotReady(string version, string words)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Hello = $"script=\"{version}\"" });
        await using var gateway = GatewayHost.Start(fake.Port);
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.WrongVersion);

        var status = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/status", Cancelled);

        Assert.Equal("wrong-version", status.GetProperty("state").GetString());
        Assert.Contains($"is script {version}; this gateway is ", status.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Contains(words, status.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    /// <summary>Machines of a fleet are updated one after the other.</summary>
    [Fact]
    public async Task Script_OfAnotherVersionInAFleet_IsUsed()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Hello = "script=\"0.0.9\"" });
        await using var client = new EmulatorClient(
            "1", new EmulatorAddress { Port = fake.Port, TakesOtherVersions = true }, new TransportSettings(Clients.Patient), TimeProvider.System, MemoryPool<byte>.Shared, NullLogger.Instance);

        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);

        Assert.Null(reply.Failure);
    }

    /// <summary>Answers messages that it does not know as scripts of mGBA-http do: in its versions with an error, a success or <c>ACK</c>.</summary>
    private sealed class OtherPeer : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly Lock _gate = new();
        private readonly List<string> _messages = [];
        private readonly byte[] _answer;

        public OtherPeer(byte[] answer)
        {
            _answer = answer;
            _listener.Start();
            _ = _listener.ServeEachAsync(ServeAsync);
        }

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public IReadOnlyList<string> Messages
        {
            get
            {
                lock (_gate)
                {
                    return [.. _messages];
                }
            }
        }

        public void Dispose() => _listener.Dispose();

        private async Task ServeAsync(Socket socket)
        {
            using var client = socket;
            var buffer = new byte[4_096];
            for (int count; (count = await client.ReceiveAsync(buffer)) > 0;)
            {
                var messages = Encoding.UTF8.GetString(buffer, 0, count).Split("<|END|>", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
                lock (_gate)
                {
                    _messages.AddRange(messages);
                }

                await client.SendAsync(_answer);
            }
        }
    }
}
