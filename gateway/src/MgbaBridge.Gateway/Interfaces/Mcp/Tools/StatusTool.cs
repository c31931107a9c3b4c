using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Symbols;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Says how an emulator is and who holds what.</summary>
internal static class StatusTool
{
    public static AgentTool Tool { get; } = new AgentTool<NoParameters, StatusAnswer>("status", Access.Read)
    {
        Title = "How the emulator is",
        Description = "Says whether the emulator runs, which game it plays, who has control and who holds keys, and what to do when something is wrong. Changes nothing.",
        IsIdempotent = true,
        Request = Parameters.None,
        Run = static (call, _) => RunAsync(call),
        Answer = ToolJson.Default,
    };

    /// <summary>The state in words of lower case.</summary>
    public static string Text(this EmulatorState state) => StateConverter.Policy.ConvertName(state.ToString());

    private static async Task<StatusAnswer> RunAsync(ToolCall call)
    {
        var (emulator, holder) = (call.Emulator, call.Session.Holder.Name);
        var health = emulator.Health;
        var answer = new StatusAnswer(
            emulator.Id, health.State.Text(), ShownText.For(call.Invocation.Caller, health.Detail), health.Title, health.Code, health.Platform, null, null, null, null, null, call.Session.Agent.Id, holder);
        var lease = await LeaseOperations.HolderAsync(call.Invocation);
        if (lease.Failure is { } failure)
        {
            return answer with { Detail = answer.Detail ?? ShownText.For(call.Invocation.Caller, failure.Detail) };
        }

        answer = answer with { Frame = lease.Frame, Control = lease.Value is null ? "nobody" : lease.Value == holder ? "you" : lease.Value };
        using var keys = await KeyOperations.Get.InvokeAsync(call.Invocation, new ReadKeys());
        var (game, _) = await GameContext.ReadAsync(call.Invocation);
        answer = answer with { Holders = keys.Failure is null ? Observer.Holders(keys.Value) : null };
        return game is not { Game: var info, Names: var names } ? answer : answer with
        {
            Title = info.Title,
            Code = info.Code,
            Platform = info.Platform,
            Properties = names.Properties?.Properties.Count ?? 0,
            Symbols = names.Symbols?.All.Count ?? 0,
        };
    }
}
