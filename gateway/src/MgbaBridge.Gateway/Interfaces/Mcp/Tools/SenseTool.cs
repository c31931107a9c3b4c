using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Cartridge;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Sets sensors of the cartridge.</summary>
internal static class SenseTool
{
    public static AgentTool Tool { get; } = new AgentTool<SenseRequest, SeenAnswer>("sense", Access.Control)
    {
        Title = "Set sensors and the clock of the cartridge",
        IsRare = true,
        Description = "Sets the light, the tilt or the turning that the cartridge of the game senses, the picture that its camera sees, or its clock, and returns what the game shows now. Sensors stay so until they are set again or released, or this agent ends; the clock stays. "
            + "A game without such a sensor takes no notice. Let frames pass (wait_until, or step with control) to see what the game does.",
        IsIdempotent = true,
        Observes = true,
        Request = Parameters.Of(
            SensorOperations.Light,
            SensorOperations.Level,
            SensorOperations.Tilt,
            SensorOperations.Gyro,
            Parameter.Bytes("camera", "The picture that the camera sees: the base64 of a PNG or JPEG."),
            Parameter.Flag("release", "Whether what this agent has set before is released first: darkness, no tilt and no turning again."),
            new Parameter<SetClock>("clock", "What a game with a clock reads from now on: emulated:2026-01-01T12:00 (advances with the frames), fixed:2026-01-01T12:00, host, host+3600.", ClockKind.Instance).Optional(),
            RequestOf),
        Run = RunAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<SeenAnswer> RunAsync(ToolCall call, SenseRequest request)
    {
        if (request.Release)
        {
            await call.RunAsync(SensorOperations.Release, new ReleaseSensors());
        }

        if (request.Sensors is { } sensors)
        {
            await call.RunAsync(SensorOperations.Set, sensors);
        }

        if (request.Camera is { } camera)
        {
            await call.RunAsync(SensorOperations.Camera, camera);
        }

        if (request.Clock is { } clock)
        {
            await call.RunAsync(ClockOperations.Set, clock);
        }

        return await Observer.ObserveAsync(call);
    }

    private static Made<SenseRequest> RequestOf(double? light, int? level, Tilt? tilt, double? gyro, ReadOnlySequence<byte>? camera, bool release, SetClock? clock)
    {
        var hasSensors = light is not null || level is not null || tilt is not null || gyro is not null;
        if (!hasSensors && camera is null && !release && clock is null)
        {
            return new WrongParameters("Write at least one of light, level, tilt, gyro, camera, release and clock.");
        }

        var sensors = hasSensors ? SensorOperations.SensorsOf(light, level, tilt, gyro) : default;
        var picture = camera is { } file ? SensorOperations.CameraOf(file) : default;
        return sensors.Error is { } wrong ? new WrongParameters(wrong)
            : picture.Error is { } unseen ? new WrongParameters(unseen)
            : new SenseRequest(hasSensors ? sensors.Value : null, camera is null ? null : picture.Value, release, clock);
    }
}

/// <summary>What is sensed.</summary>
/// <param name="Sensors">The sensors that are set.</param>
/// <param name="Camera">The picture that is shown.</param>
/// <param name="Release">Whether those from before are released.</param>
/// <param name="Clock">The clock that is set.</param>
internal readonly record struct SenseRequest(SetSensors? Sensors, SetCamera? Camera, bool Release, SetClock? Clock);
