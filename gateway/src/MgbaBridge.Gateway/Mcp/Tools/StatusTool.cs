using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Says how an emulator is and who holds what.</summary>
internal sealed class StatusTool : AgentTool
{
    [SetsRequiredMembers]
    public StatusTool()
        : base("status", Access.Read)
    {
        Title = "How the emulator is";
        Description = "Says whether the emulator runs, which game it plays, who has control and who holds keys, and what to do when something is wrong. Changes nothing.";
        IsIdempotent = true;
        Output = ToolJson.Default.StatusAnswer;
    }

    /// <summary>The state in words of lower case.</summary>
    public static string StateOf(EmulatorClient emulator) => JsonNamingPolicy.KebabCaseLower.ConvertName(emulator.Health.State.ToString());

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var (emulator, holder) = (call.Emulator, call.Session.Holder.Name);
        var health = emulator.Health;
        var answer = new StatusAnswer(
            emulator.Id, StateOf(emulator), health.Detail, health.Title, health.Code, health.Platform, null, null, null, null, null, call.Session.Agent.Id, holder);
        using var script = await emulator.SendAsync(new ReadScriptStatus(), call.Options, call.Cancelled);
        if (script.Failure is { } failure)
        {
            return Result(answer with { Detail = answer.Detail ?? failure.Detail });
        }

        var lease = ReadScriptStatus.ParseLease(script);
        answer = answer with { Frame = script.Frame, Control = lease is null ? "nobody" : lease == holder ? "you" : lease };
        using var keys = await emulator.SendAsync(new ReadKeys(), call.Options, call.Cancelled);
        using var game = await emulator.SendAsync(new ReadGame(), call.Options, call.Cancelled);
        if (keys.Failure is null)
        {
            var held = ReadKeys.Parse(keys).Holders.Where(held => held.Keys.Mask != 0).ToDictionary(held => held.Holder, held => held.Keys.ToString());
            answer = answer with { Holders = held.Count > 0 ? held : null };
        }

        if (game.Failure is null)
        {
            var info = ReadGame.Parse(game);
            var names = call.Single<SymbolStore>().Of((uint)info.Crc32);
            answer = answer with { Title = info.Title, Code = info.Code, Platform = info.Platform, Properties = names.Properties?.Properties.Count ?? 0, Symbols = names.Symbols?.All.Count ?? 0 };
        }

        return Result(answer);
    }
}
