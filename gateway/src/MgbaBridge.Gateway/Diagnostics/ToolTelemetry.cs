using System.Diagnostics;
using System.Diagnostics.Metrics;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Gateway.Operations.Agents;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>
/// A span and a measurement for each call of a tool. Names that begin with <c>mcp.</c> and <c>gen_ai.</c> are those of OpenTelemetry's conventions for MCP and
/// generative AI, names that begin with <c>mgba.</c> are ours.
/// </summary>
internal static class ToolTelemetry
{
    /// <summary>The source's name, for listeners.</summary>
    public const string SourceName = "MgbaBridge.Gateway.Mcp";

    private const string Method = "tools/call";

    private static readonly ActivitySource Source = new(SourceName);
    private static readonly Meter Meter = new(ClientMetrics.MeterName);

    private static readonly Histogram<double> Duration = Meter.CreateHistogram<double>(
        "mgba.agent.call.duration", "s", "The time of agents' calls of tools.",
        advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120, 600] });

    /// <summary>Begins the span of a call, above those of its commands; null without a listener.</summary>
    /// <param name="tool">The tool.</param>
    /// <param name="agent">The id of the agent.</param>
    /// <param name="traceParent">The span of the client, as <c>params._meta</c> has it, or null.</param>
    /// <param name="traceState">The state of the client's trace, or null.</param>
    /// <param name="around">The span of the HTTP request.</param>
    public static Activity? Begin(string tool, string agent, string? traceParent, string? traceState, ActivityContext around)
    {
        if (!Source.HasListeners())
        {
            return null;
        }

        var isOfClient = ActivityContext.TryParse(traceParent, traceState, isRemote: true, out var client);
        var span = Source.StartActivity($"{Method} {tool}", ActivityKind.Server, isOfClient ? client : around, links: isOfClient && around != default ? [new ActivityLink(around)] : null);
        return span?.SetTag("mcp.method.name", Method).SetTag("gen_ai.operation.name", "execute_tool").SetTag("gen_ai.tool.name", tool).SetTag("mgba.agent", agent);
    }

    /// <summary>A call has ended. The caller disposes of its span.</summary>
    public static void End(Activity? span, string tool, AgentOutcome outcome, TimeSpan duration, string? emulator = null, long? frame = null)
    {
        var name = NameOf(outcome);
        Duration.Record(duration.TotalSeconds, new("mgba.tool", tool), new("mgba.outcome", name));
        if (span is null)
        {
            return;
        }

        span.SetTag("mgba.outcome", name).SetTag("mgba.emulator", emulator).SetTag("mgba.frame", frame);
        if (outcome != AgentOutcome.Done)
        {
            span.SetStatus(ActivityStatusCode.Error).SetTag("error.type", outcome == AgentOutcome.Cancelled ? name : "tool_error");
        }
    }

    private static string NameOf(AgentOutcome outcome) => outcome switch
    {
        AgentOutcome.Done => "done",
        AgentOutcome.Failed => "failed",
        AgentOutcome.Cancelled => "cancelled",
        _ => "paused",
    };
}
