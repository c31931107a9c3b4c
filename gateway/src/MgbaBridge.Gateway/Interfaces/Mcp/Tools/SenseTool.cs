using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Cartridge;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Sets sensors of the cartridge.</summary>
internal static class SenseTool
{
    public static AgentTool Tool { get; } = new AgentTool<SetSensors, SeenAnswer>("sense", Access.Control)
    {
        Title = "Set sensors of the cartridge",
        Description = "Sets the light, the tilt or the turning that the cartridge of the game senses, and returns what the game shows now. They stay so until they are set again, or this agent ends. "
            + "A game without such a sensor takes no notice. Let frames pass (wait_until, or step with control) to see what the game does.",
        IsIdempotent = true,
        Observes = true,
        Request = SensorOperations.Sensors,
        Run = RunAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<SeenAnswer> RunAsync(ToolCall call, SetSensors sensors)
    {
        call.Memory.HasPressed = true; // released with the keys
        await call.RunAsync(SensorOperations.Set, sensors);
        return await Observer.ObserveAsync(call);
    }
}
