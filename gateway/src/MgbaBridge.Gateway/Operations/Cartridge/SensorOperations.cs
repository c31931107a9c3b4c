using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Gateway.Operations.Cartridge;

/// <summary>What the sensors of the cartridge show.</summary>
internal static class SensorOperations
{
    /// <summary>What the operations of the cartridge share.</summary>
    internal static Resource Resource { get; } = new("Cartridge", CartridgeJson.Default);

    private const double MaxGyro = Limits.Gyro / SensorValues.Unit;

    private static readonly StatusNote NotInWindow = (ErrorCode.Unsupported, "the game runs in a window, whose user has its sensors.");

    public static CommandOperation<ReadSensors, SensorsAnswer> Get { get; } = new(Resource, "sensors.get", HttpMethods.Get, "/v2/sensors", Access.Read)
    {
        Summary = "What the cartridge's sensors show",
        Request = Parameters.Always(new ReadSensors()),
        Read = static (_, reply) => SensorsAnswer.Of(reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","light":0.8,"level":9,"tilt":[10,-5],"gyro":30,"camera":false}""",
        Statuses = [NotInWindow],
    };

    public static CommandOperation<SetSensors, DoneAnswer> Set { get; } = new(Resource, "sensors.set", HttpMethods.Put, "/v2/sensors", Access.Control)
    {
        Summary = "Set sensors of the cartridge",
        Description = "Those that are given, from the next frame until this holder releases them, as keys that are held. Of several holders the one that set a sensor last counts. A game whose cartridge has no such sensor takes no notice.",
        Request = Sensors,
        RequestExample = """{"light":0.8,"tilt":[10,-5],"gyro":30}""",
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Item = ("sensors", ItemResultKind.Done),
        Holds = Held.Sensors,
        Statuses = [NotInWindow],
    };

    public static CommandOperation<SetCamera, DoneAnswer> Camera { get; } = new(Resource, "camera.set", HttpMethods.Put, "/v2/sensors/camera", Access.Control)
    {
        Summary = "Show a picture to the camera of the cartridge",
        Description = $"A PNG or JPEG with at most {CameraPicture.MaxPixels} pixels: its middle, in grey and scaled to {CameraPicture.Width} x {CameraPicture.Height}. The camera sees it from the next frame until this holder releases its sensors (`sensors.release`), and darkness without one. The rules of `sensors.set` hold.",
        Request = Parameters.Of(Parameter.Bytes("bytes", "The picture, a PNG or JPEG."), CameraOf),
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Item = ("camera", ItemResultKind.Done),
        Holds = Held.Sensors,
        Statuses = [NotInWindow],
    };

    public static CommandOperation<ReleaseSensors, DoneAnswer> Release { get; } = new(Resource, "sensors.release", HttpMethods.Delete, "/v2/sensors", Access.Control)
    {
        Summary = "Release the sensors that this holder has set",
        Description = "They show darkness, no tilt and no turning again, or what another holder has set.",
        Request = Parameters.Always(new ReleaseSensors()),
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Statuses = [NotInWindow],
    };

    /// <summary>The sensors that are set.</summary>
    private static Parameters<SetSensors> Sensors => Parameters.Of(Light, Level, Tilt, Gyro, SensorsOf);

    /// <summary>The light.</summary>
    internal static Parameter<double?> Light => Parameter.Number("light", 0, 1, "How bright the light is: 0 dark, 1 bright.").Optional();

    /// <summary>The light in another unit.</summary>
    internal static Parameter<int?> Level => Parameter.Integer("level", 0, LightLevel.Max, "The light as the bars that games with a light sensor show, instead of `light`.").Optional();

    /// <summary>The tilt.</summary>
    internal static Parameter<Tilt?> Tilt => new Parameter<Tilt>("tilt", "By how many degrees the right edge, and the edge away from the player, are down.", new TiltKind()).Optional();

    /// <summary>The turning.</summary>
    internal static Parameter<double?> Gyro => Parameter.Number("gyro", -MaxGyro, MaxGyro, "By how many degrees a second the console is turned clockwise.").Optional();

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Set, Camera, Release];

    /// <summary>The command that shows a picture.</summary>
    internal static Made<SetCamera> CameraOf(ReadOnlySequence<byte>? bytes) =>
        bytes is not { Length: > 0 } file ? new WrongParameters($"The picture is missing: send its bytes. {CameraPicture.ExpectedFormat}")
        : CameraPicture.TryRead(file, out var grey, out var wrong) ? new SetCamera(new ReadOnlySequence<byte>(grey))
        : new WrongParameters(wrong);

    /// <summary>The command that sets those that are given.</summary>
    internal static Made<SetSensors> SensorsOf(double? light, int? level, Tilt? tilt, double? gyro) =>
        light is not null && level is not null ? new WrongParameters("light and level are the same sensor; omit one of them.")
        : light is null && level is null && tilt is null && gyro is null ? new WrongParameters("Write at least one of light, level, tilt and gyro: {\"light\": 0.8, \"tilt\": [10, -5], \"gyro\": 30}.")
        : new SetSensors(
            light is { } bright ? SensorValues.LightOf(bright) : level is { } bars ? LightLevel.CountOf(bars) : null,
            tilt is { } right ? SensorValues.AngleOf(right.X) : null,
            tilt is { } far ? SensorValues.AngleOf(far.Y) : null,
            gyro is { } turn ? SensorValues.AngleOf(turn) : null);
}
