using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>What of agents' calls is traced and measured.</summary>
[Collection(nameof(Alone))]
public sealed partial class McpTelemetryTests
{
    public static TheoryData<string> Versions => [McpCaller.WithSession, McpCaller.WithoutSession];

    [Theory]
    [MemberData(nameof(Versions))]
    public async Task Call_OfATool_IsASpanBetweenItsClientAndItsCommands(string version)
    {
        await using var play = await Play.StartAsync();
        var agent = version == McpCaller.WithSession ? await McpCaller.ConnectAsync(play.Client) : McpCaller.Stateless(play.Client);
        var (trace, client) = (ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom());
        var spans = await SpansOfAsync(() => agent.RequestAsync("tools/call", $$$"""{"_meta":{"traceparent":"00-{{{trace}}}-{{{client}}}-01"},"name":"observe","arguments":{"picture":"none"}}"""));
        var call = Assert.Single(spans, static span => span.Source.Name == ToolTelemetry.SourceName);
        Assert.Equal(("tools/call observe", ActivityKind.Server, trace, client, ActivityStatusCode.Unset), (call.DisplayName, call.Kind, call.TraceId, call.ParentSpanId, call.Status));
        Assert.Equal(["tools/call", "execute_tool", "observe", "1", "done"], new[] { "mcp.method.name", "gen_ai.operation.name", "gen_ai.tool.name", "mgba.emulator", "mgba.outcome" }.Select(call.GetTagItem));
        Assert.True((long)call.GetTagItem("mgba.frame")! > 0);
        var http = Assert.Single(spans, span => span.Source.Name == "Microsoft.AspNetCore" && call.Links.Any(link => link.Context.SpanId == span.SpanId));
        Assert.NotEqual(trace, http.TraceId);
        var commands = spans.Where(span => span.Source.Name == ClientTracing.SourceName && span.TraceId == trace).ToArray();
        Assert.Contains(commands, static command => command.DisplayName == "batch.run");
        Assert.All(commands, command => Assert.Equal(call.SpanId, command.ParentSpanId));
    }

    [Theory]
    [InlineData("""{"name":"press","arguments":{"keys":"Q"}}""")]
    [InlineData("""{"_meta":{"traceparent":"garbage"},"name":"press","arguments":{"keys":"Q"}}""")]
    [InlineData("""{"_meta":{"traceparent":[1]},"name":"press","arguments":{"keys":"Q"}}""")]
    public async Task Call_ThatFails_IsAnErrorBelowItsHttpRequest(string call)
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var before = await CountAsync(play, "press", "failed");
        var spans = await SpansOfAsync(() => agent.RequestAsync("tools/call", call));
        var span = Assert.Single(spans, static span => span.Source.Name == ToolTelemetry.SourceName);
        Assert.Equal((ActivityStatusCode.Error, "tool_error", "failed"), (span.Status, span.GetTagItem("error.type"), span.GetTagItem("mgba.outcome")));
        Assert.Single(spans, http => http.Source.Name == "Microsoft.AspNetCore" && http.SpanId == span.ParentSpanId);
        Assert.Equal(before + 1, await CountAsync(play, "press", "failed"));
    }

    [Fact]
    public async Task Calls_ByToolAndOutcome_AreCounted()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var before = (await CountAsync(play, "status", "done"), await CountAsync(play, "unknown", "failed"));
        await agent.CallAsync("status");
        await agent.RequestAsync("tools/call", """{"name":"fly","arguments":{}}""");
        Assert.Equal((before.Item1 + 1, before.Item2 + 1), (await CountAsync(play, "status", "done"), await CountAsync(play, "unknown", "failed")));
        Assert.DoesNotContain("fly", await play.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    private static async Task<long> CountAsync(Play play, string tool, string outcome)
    {
        var page = await play.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken);
        var line = Count().Matches(page).SingleOrDefault(match => match.Value.Contains($"mgba_tool=\"{tool}\"", StringComparison.Ordinal) && match.Value.Contains($"mgba_outcome=\"{outcome}\"", StringComparison.Ordinal));
        return line is null ? 0 : long.Parse(line.Groups[1].ValueSpan, System.Globalization.CultureInfo.InvariantCulture);
    }

    private static async Task<IReadOnlyCollection<Activity>> SpansOfAsync(Func<Task> run)
    {
        var ended = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name is ClientTracing.SourceName or ToolTelemetry.SourceName or "Microsoft.AspNetCore",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = ended.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        await run();

        // the answer is out before the span of its request ends
        await Eventually.Is(() => ended.Any(span => span.Source.Name == "Microsoft.AspNetCore" && ended.Any(call => call.Source.Name == ToolTelemetry.SourceName && (call.ParentSpanId == span.SpanId || call.Links.Any(link => link.Context.SpanId == span.SpanId)))));
        return [.. ended];
    }

    [GeneratedRegex("^mgba_agent_call_duration_seconds_count\\{.*\\} (\\d+)$", RegexOptions.Multiline)]
    private static partial Regex Count();
}
