using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Interfaces.Mcp.Tools;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Agents;
using MgbaBridge.Gateway.Operations.Debug;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.Symbols;
using MgbaBridge.Gateway.Security;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>Runs the calls of tools: checks them, counts them, and remembers them for people.</summary>
/// <param name="services">What exists once.</param>
internal sealed class ToolCalls(IServiceProvider services)
{
    private readonly TimeProvider _time = services.GetRequiredService<TimeProvider>();
    private readonly ILogger _logger = services.GetRequiredService<ILogger<ToolCalls>>();
    private readonly Dictionary<AgentTool, Tool> _declared = ToolList.All.ToDictionary(static tool => tool, Declare);

    /// <summary>The tools of a client: those for games with a pack while an emulator plays one.</summary>
    public async ValueTask<ListToolsResult> ListAsync(Sender sender, CancellationToken cancelled)
    {
        var hasPack = await HasPackAsync(sender, cancelled);
        return new() { Tools = [.. ToolList.Listed(sender.Toolsets).Where(tool => hasPack || !tool.NeedsPack).Select(tool => _declared[tool])] };
    }

    /// <summary>Runs a call.</summary>
    /// <exception cref="McpProtocolException">There is no such tool.</exception>
    public async ValueTask<CallToolResult> CallAsync(RequestContext<CallToolRequestParams> request, CancellationToken cancelled)
    {
        var sender = Sender.Of(request);
        var tool = Find(request.Params?.Name, sender.Toolsets);
        var session = sender.Session;
        var (at, began) = (_time.GetUtcNow(), _time.GetTimestamp());
        using var span = ToolTelemetry.Begin(tool.Name, session.Agent.Id, MetaOf(request, "traceparent"), MetaOf(request, "tracestate"), sender.Span);
        ToolCall? call = null;
        string? emulator = null;
        HaltWatch? halted = null;

        CallToolResult End(AgentOutcome outcome, CallToolResult result, string? detail)
        {
            var duration = _time.GetElapsedTime(began);
            ToolTelemetry.End(span, tool.Name, outcome, duration, emulator, call?.Frame);
            session.Agent.Add(new AgentCall(at, tool.Name, emulator, outcome, Math.Round(duration.TotalMilliseconds, 1), call?.Frame, detail), call?.Presses ?? 0);
            return result;
        }

        if (session.Agent.Begin() is not { } untilPaused)
        {
            return End(AgentOutcome.Paused, Error(PausedText(session.Agent)), null);
        }

        if (!session.TryEnter())
        {
            return End(AgentOutcome.Failed, Error("As many calls as allowed are under way. Next: wait for one of them, then try again."), "too many calls");
        }

        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancelled, untilPaused, sender.Revoked);
        try
        {
            Check(tool, sender.Caller);
            var arguments = new ToolArguments(tool, request.Params?.Arguments);
            if (tool == MoreTools.Tool && MoreTools.TargetOf(arguments, sender.Toolsets) is var (target, given))
            {
                (tool, arguments) = (target, new ToolArguments(target, given));
                Check(tool, sender.Caller);
            }

            var client = tool.UsesEmulator ? EmulatorOf(arguments.Read(AgentTool.Emulator), sender.Caller) : null;
            emulator = client?.Id;
            call = new ToolCall(session, sender.Caller, client, services, over.Token)
            {
                Toolsets = sender.Toolsets,
                Observe = tool.Observes ? arguments.Read(Observer.Request) : default,
                Progress = ProgressOf(request),
            };
            using var turn = tool.RunsInTurn ? await call.Memory.TakeTurnAsync(over.Token) : null;
            await using var halts = halted = tool.RunsFrames && sender.Toolsets.HasFlag(Toolsets.Debug) ? await HaltWatch.BeginAsync(call, over) : null;
            var result = await tool.RunAsync(call, arguments);
            return End(AgentOutcome.Done, ResultOf(result, call.Png), call.Note);
        }
        catch (Exception exception) when (NextSteps.Of(exception, call?.Emulator) is { } error)
        {
            return End(AgentOutcome.Failed, Error(error.Text(sender.Caller, operation => ToolList.CallOf(sender.Toolsets, operation))), error.Message);
        }
        catch (OperationCanceledException) when (untilPaused.IsCancellationRequested)
        {
            return End(AgentOutcome.Paused, Error(PausedText(session.Agent)), call?.Note);
        }
        catch (OperationCanceledException) when (sender.Revoked.IsCancellationRequested)
        {
            return End(AgentOutcome.Failed, Error("The token of this agent was withdrawn. Next: ask the person for a token."), call?.Note);
        }
        catch (OperationCanceledException) when (halted is { IsHalted: true } && !cancelled.IsCancellationRequested)
        {
            return End(AgentOutcome.Failed, Error(await HaltedTextAsync(tool, call!)), "halted");
        }
        catch (OperationCanceledException) when (cancelled.IsCancellationRequested)
        {
            End(AgentOutcome.Cancelled, Error("cancelled"), call?.Note);
            throw;
        }
        catch (Exception exception)
        {
            GatewayLog.EndpointDefect(_logger, "MCP", tool.Name, exception);
            return End(AgentOutcome.Failed, Error($"The gateway failed: {ShownText.For(sender.Caller, exception.Message)} Next: call observe to see what was done; please report this."), exception.Message);
        }
        finally
        {
            call?.Dispose();
            session.Leave();
        }
    }

    private async Task<bool> HasPackAsync(Sender sender, CancellationToken cancelled)
    {
        var games = services.GetRequiredService<EmulatorRegistry>().SeenBy(sender.Caller.Owner).Where(static emulator => emulator.Health.Answers)
            .Select(async emulator => (await GameContext.ReadAsync(emulator, services.GetRequiredService<SymbolStore>(), sender.Session.Options, cancelled)).Game);
        return (await Task.WhenAll(games)).Any(static game => game?.Names.Properties?.Pack is not null);
    }

    private static AgentTool Find(string? name, Toolsets toolsets)
    {
        var tool = ToolList.Find(name);
        if (tool is not null && toolsets.HasFlag(tool.Toolset))
        {
            return tool;
        }

        ToolTelemetry.End(null, "unknown", AgentOutcome.Failed, TimeSpan.Zero);
        throw new McpProtocolException(
            tool is not null
                ? $"{tool.Name} is a tool of the toolset {ToolsetNames.NameOf(tool.Toolset)}, for which this client has not asked: the person may connect it to /mcp?{ToolsetNames.Parameter}={ToolsetNames.NameOf(tool.Toolset)}, or start mgba-bridge mcp --{ToolsetNames.Parameter} {ToolsetNames.NameOf(tool.Toolset)}."
                : $"There is no tool {(name is { Length: > 80 } ? name[..80] : name)}. Use one of {string.Join(", ", ToolList.Listed(toolsets).Select(tool => tool.Name))}.",
            McpErrorCode.InvalidParams);
    }

    private static string? MetaOf(RequestContext<CallToolRequestParams> request, string name) => request.Params?.Meta?[name] is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

    private static async Task<string> HaltedTextAsync(AgentTool tool, ToolCall call)
    {
        var now = await DebugOperations.Get.InvokeAsync(call.Invocation with { Cancelled = CancellationToken.None }, default);
        var why = now is { Failure: null, Value.Halted: true } ? DebugTools.Sentence(now.Value) : "The game was halted, and runs again";
        return ShownText.For(call.Invocation.Caller, $"{tool.Name} has ended early, because the game was halted. {why}. Next: call debug_where for registers and code, or debug_step with kind continue.");
    }

    private static Tool Declare(AgentTool tool) => new()
    {
        Name = tool.Name,
        Title = tool.Title,
        Description = tool.Description,
        InputSchema = tool.InputSchema(),
        OutputSchema = tool.OutputSchema(),
        Annotations = new ToolAnnotations
        {
            Title = tool.Title,
            ReadOnlyHint = tool.IsReadOnly,
            DestructiveHint = tool.IsDestructive,
            IdempotentHint = tool.IsIdempotent,
            OpenWorldHint = false,
        },
    };

    private static void Check(AgentTool tool, Caller caller)
    {
        if (Operation.Refuse(caller, tool.Access, tool.IsShared) is { } failure)
        {
            throw new ToolException(failure.Detail, "ask the person for a token that allows it; observe, read and status work with each.");
        }
    }

    private EmulatorClient EmulatorOf(string? id, Caller caller) => services.GetRequiredService<EmulatorRegistry>().TryGet(id, caller.Owner, out var client)
        ? client
        : throw NextSteps.Of(EmulatorOperations.NoSuchEmulator(id), null);

    private static Func<double, double?, string, Task> ProgressOf(RequestContext<CallToolRequestParams> request) => request.Params?.ProgressToken is not { } token
        ? static (_, _, _) => Task.CompletedTask
        : async (progress, total, message) =>
        {
            try
            {
                await request.Server.NotifyProgressAsync(token, new ProgressNotificationValue { Progress = (float)progress, Total = (float?)total, Message = message });
            }
            catch (Exception exception) when (exception is InvalidOperationException or IOException or OperationCanceledException)
            {
                // the client does not read any more; the call continues
            }
        };

    // clients that show only content get the JSON as text
    private static CallToolResult ResultOf(JsonElement result, ReadOnlyMemory<byte>? png)
    {
        var content = new List<ContentBlock> { new TextContentBlock { Text = TextOf(result) } };
        if (png is { } picture)
        {
            content.Add(ImageContentBlock.FromBytes(picture, "image/png"));
        }

        return new CallToolResult { Content = content, StructuredContent = result };
    }

    // as short as JSON permits: + and letters of other scripts as themselves
    private static string TextOf(JsonElement content)
    {
        var text = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(text, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            content.WriteTo(writer);
        }

        return Encoding.UTF8.GetString(text.WrittenSpan);
    }

    private static CallToolResult Error(string text) => new() { IsError = true, Content = [new TextContentBlock { Text = text }] };

    private static string PausedText(Agent agent) =>
        $"A person has paused this agent{(agent.PausedAt is { } at ? $" at {at:HH:mm:ss} UTC" : "")}. Nothing more was done. Next: tell the person what you wanted to do, and wait until you may continue.";
}
