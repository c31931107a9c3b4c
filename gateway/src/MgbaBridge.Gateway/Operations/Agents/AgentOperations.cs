using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Agents;

/// <summary>What people see of agents, and how they pause one.</summary>
internal static class AgentOperations
{
    private static readonly Resource Resource = new("Agents", AgentJson.Default) { UsesEmulator = false, IsPerEmulator = false };
    private const string Example = """{"id":"4b1d90aa","name":"claude-code","version":"2.0.1","protocol":"2025-11-25","caller":"127.0.0.1","holder":"agent-4b1d90aa","connected":true,"paused":false,"since":"2026-11-22T05:55:15Z","lastSeen":"2026-11-22T05:56:02Z","calls":2,"failed":0,"presses":1,"recent":[{"at":"2026-11-22T05:56:02Z","tool":"press","emulator":"1","outcome":"done","milliseconds":140.2,"frame":4711,"detail":"A 4"}]}""";

    public static HandlerOperation<NoParameters, AgentsAnswer> List { get; } = new(Resource, "agents.list", HttpMethods.Get, "/v2/agents", Access.Read)
    {
        Summary = "The agents that play through MCP",
        Description = $"Those that are connected, and those that are paused, the one that was seen last first, each with its last {Agent.RecentCalls} calls. At most {AgentRegistry.MaxAgents}.",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<AgentsAnswer>>(
            new AgentsAnswer([.. invocation.Get<AgentRegistry>().All.Select(agent => AgentAnswer.Of(agent, invocation.Caller))])),
        ResponseExample = $$"""{"agents":[{{Example}}]}""",
    };

    public static HandlerOperation<AgentChange, AgentAnswer> Change { get; } = new(Resource, "agents.change", HttpMethods.Put, "/v2/agents/{agent}", Access.Control)
    {
        Summary = "Pause an agent, or let it continue",
        Description = "Pausing cancels its calls, releases its keys and ends its lease. Until it may continue, each of its calls gets an error that says that a person paused it, "
            + "also after it has connected again.",
        Request = Parameters.Of(
            Parameter.Text("agent", "The id of an agent."),
            Parameter.Flag("paused", "Whether it is paused.") with { IsRequired = true },
            static (agent, paused) => new AgentChange(agent, paused)),
        RequestExample = """{"paused":true}""",
        Run = static (invocation, change) =>
        {
            var agents = invocation.Get<AgentRegistry>();
            if (agents.Find(change.Agent) is not { } agent)
            {
                return ValueTask.FromResult<Result<AgentAnswer>>(new Failure(FailureKind.NoSuchAgent, $"There is no agent {change.Agent}.", new NextStep(List, "lists them")));
            }

            agents.SetPaused(agent, change.Paused);
            return ValueTask.FromResult<Result<AgentAnswer>>(AgentAnswer.Of(agent, invocation.Caller));
        },
        ResponseExample = Example,
        Statuses = [(FailureKind.NoSuchAgent, "there is no such agent, or its session has ended.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Change];
}

/// <summary>What is to change of an agent.</summary>
/// <param name="Agent">Its id.</param>
/// <param name="Paused">Whether it is paused.</param>
public sealed record AgentChange(string Agent, bool Paused);

/// <summary>The agents.</summary>
/// <param name="Agents">The one that was seen last first.</param>
public sealed record AgentsAnswer(IReadOnlyList<AgentAnswer> Agents);

/// <summary>An agent.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">The name that the program gives itself.</param>
/// <param name="Version">The version that the program gives itself.</param>
/// <param name="Protocol">The version of MCP that it uses.</param>
/// <param name="Caller">Its address; for owners.</param>
/// <param name="Holder">The holder of its keys and its lease.</param>
/// <param name="Connected">Whether it has a session, or sends requests without one.</param>
/// <param name="Paused">Whether a person has paused it.</param>
/// <param name="PausedAt">Since when.</param>
/// <param name="Since">When it connected first.</param>
/// <param name="LastSeen">When it sent a request last.</param>
/// <param name="Calls">How many calls of tools it has made.</param>
/// <param name="Failed">How many of them ended with an error or were cancelled.</param>
/// <param name="Presses">How many presses of keys it has made.</param>
/// <param name="Recent">Its last calls, oldest first.</param>
public sealed record AgentAnswer(
    string Id, string Name, string? Version, string Protocol, string? Caller, string Holder, bool Connected, bool Paused, DateTimeOffset? PausedAt,
    DateTimeOffset Since, DateTimeOffset LastSeen, long Calls, long Failed, long Presses, IReadOnlyList<AgentCall> Recent)
{
    /// <summary>The answer for an agent.</summary>
    internal static AgentAnswer Of(Agent agent, Caller caller)
    {
        var (calls, failed, presses) = agent.Count;
        return new AgentAnswer(
            agent.Id, agent.Client.Name, agent.Client.Version, agent.Client.Protocol, caller.Role >= Role.Owner ? agent.Client.Caller : null, agent.HolderName, agent.IsConnected, agent.PausedAt is not null,
            agent.PausedAt, agent.Since, agent.LastSeen, calls, failed, presses, [.. agent.Recent.Select(call => call with { Detail = ShownText.For(caller, call.Detail) })]);
    }
}

/// <summary>How a call ended, in JSON: <c>"done"</c>.</summary>
public sealed class AgentOutcomeConverter() : JsonStringEnumConverter<AgentOutcome>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>The JSON of agents.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(AgentOutcomeConverter)])]
[JsonSerializable(typeof(AgentAnswer))]
[JsonSerializable(typeof(AgentsAnswer))]
[JsonSerializable(typeof(RunLine))]
internal sealed partial class AgentJson : JsonSerializerContext;
