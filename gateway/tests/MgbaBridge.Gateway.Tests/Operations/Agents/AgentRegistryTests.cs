using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Operations.Agents;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Agents;

public sealed class AgentRegistryTests
{
    [Fact]
    public void Connect_OfAPausedProgramAgain_IsTheSameAgent()
    {
        var agents = new AgentRegistry(new ManualTime());
        var first = agents.Connect(Client("a"));
        Assert.NotSame(first, agents.Connect(Client("a"))); // two at once
        agents.SetPaused(first, true);
        agents.Disconnect(first);
        Assert.Same(first, agents.Connect(Client("a")));
        Assert.NotSame(first, agents.Connect(Client("b")));
        var shared = agents.Connect(Client("c"), shared: true);
        Assert.Same(shared, agents.Connect(Client("c"), shared: true));
        Assert.Equal($"agent-{first.Id}", first.HolderName);
    }

    [Fact]
    public void Disconnect_OfAnAgent_RemovesItUnlessItIsPaused()
    {
        var agents = new AgentRegistry(new ManualTime());
        var paused = agents.Connect(Client("a"));
        agents.SetPaused(paused, true);
        agents.Disconnect(paused);
        agents.Disconnect(agents.Connect(Client("b")));
        Assert.Equal([paused], agents.All);
        agents.SetPaused(paused, false);
        Assert.Empty(agents.All);
    }

    [Fact]
    public void Connect_OfManyPausedPrograms_ForgetsThoseThatLeftFirst()
    {
        var time = new ManualTime();
        var agents = new AgentRegistry(time);
        var connected = agents.Connect(Client("stays"));
        for (var number = 0; number < AgentRegistry.MaxAgents * 2; number++)
        {
            time.Advance(TimeSpan.FromMilliseconds(5));
            var agent = agents.Connect(Client($"{number}"));
            agents.SetPaused(agent, true);
            agents.Disconnect(agent);
        }

        Assert.Equal(AgentRegistry.MaxAgents, agents.All.Count);
        Assert.Contains(connected, agents.All);
        Assert.Equal($"{(AgentRegistry.MaxAgents * 2) - 1}", agents.All[0].Client.Name);
    }

    [Fact]
    public void Add_OfManyCalls_KeepsTheLastOnesAndCountsAll()
    {
        var agent = new AgentRegistry(new ManualTime()).Connect(Client("a"));
        for (var number = 0; number < Agent.RecentCalls + 10; number++)
        {
            agent.Add(new AgentCall(default, "press", "1", number % 2 == 0 ? AgentOutcome.Done : AgentOutcome.Failed, 1, null, new string('x', 1_000)), presses: 2);
        }

        Assert.Equal(Agent.RecentCalls, agent.Recent.Count);
        Assert.All(agent.Recent, call => Assert.Equal(200, call.Detail!.Length));
        Assert.Equal((60, 30, 120), agent.Count);
    }

    [Fact]
    public void SetPaused_OfAnAgent_CancelsItsCallsOnce()
    {
        var agent = new AgentRegistry(new ManualTime()).Connect(Client("a"));
        var paused = 0;
        agent.WasPaused += _ => paused++;
        var call = agent.Begin();
        agent.SetPaused(true);
        agent.SetPaused(true);
        Assert.True(call!.Value.IsCancellationRequested);
        Assert.Null(agent.Begin());
        Assert.Equal(1, paused);
        agent.SetPaused(false);
        Assert.False(agent.Begin()!.Value.IsCancellationRequested);
    }

    [Fact]
    public async Task Agents_OverHttpAndWebSocket_AreListedAndPaused()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, "claude");
        await agent.CallAsync("press", """{"keys":"A"}""");
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.SendAsync("""{"id":1,"op":"agents.list"}""");
        var listed = (await socket.NextAsync()).GetProperty("body").GetProperty("agents")[0];
        Assert.Equal(("claude", true, false, 1), (listed.GetProperty("name").GetString(), listed.GetProperty("connected").GetBoolean(), listed.GetProperty("paused").GetBoolean(), listed.GetProperty("presses").GetInt32()));
        var id = listed.GetProperty("id").GetString();
        await socket.SendAsync($$$"""{"id":2,"op":"agents.change","body":{"agent":"{{{id}}}","paused":true}}""");
        Assert.True((await socket.NextAsync()).GetProperty("body").GetProperty("paused").GetBoolean());
        Assert.Equal(JsonValueKind.String, (await play.AskGatewayAsync(HttpMethod.Get, "/v2/agents")).GetProperty("agents")[0].GetProperty("pausedAt").ValueKind);
        await play.SendAsync(HttpMethod.Put, "/v2/agents/nobody", """{"paused":true}""", status: HttpStatusCode.NotFound);
        await play.SendAsync(HttpMethod.Put, $"/v2/agents/{id}", """{"paused":1}""", status: HttpStatusCode.BadRequest);
    }

    private static AgentClient Client(string name) => new(name, "1", "2025-11-25", "127.0.0.1", null, "");
}
