using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Cartridge;

/// <summary>The clock of the cartridge.</summary>
internal static class ClockOperations
{
    private const long MaxOffset = -Limits.MinClockValue / 1_000;

    private static readonly StatusNote NotInWindow = (ErrorCode.Unsupported, "the game runs in a window: mGBA hands its clock only to mgba-headless.");

    public static CommandOperation<ReadClock, ClockAnswer> Get { get; } = new(SensorOperations.Resource, "clock.get", HttpMethods.Get, "/v2/clock", Access.Read)
    {
        Summary = "The time that the game reads",
        Request = Parameters.Always(new ReadClock()),
        Read = static (_, reply) => ClockAnswer.Of(reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","mode":"emulated","time":"2026-01-01T12:01:18"}""",
        Statuses = [NotInWindow],
    };

    public static CommandOperation<SetClock, DoneAnswer> Set { get; } = new(SensorOperations.Resource, "clock.set", HttpMethods.Put, "/v2/clock", Access.Write)
    {
        Summary = "Set the clock of the cartridge",
        Description = "For games with a clock. A state that is loaded brings its clock to `host` without an offset, and its emulated time to `emulated`; other clocks stay. It ends when the emulator ends: `clock` of `emulators.start` is the one that it starts with.",
        Request = Parameters.Of(
            Parameter.Choice<ClockMode>("mode", "`host`: the time of the emulator's machine; `fixed`: it stands; `emulated`: it advances with the frames, so that the same input gives the same result."),
            new Parameter<DateTime>("time", "What the game reads from now on, whatever the machine's time zone: from 2000 to 2099, such as `2026-01-01T12:00:00`. For `fixed` and `emulated`.", new GameTimeKind()).Optional(),
            Parameter.Integer("offsetSeconds", -MaxOffset, MaxOffset, "By how many seconds it is before the machine's. For `host`.").Optional("0"),
            ClockOf),
        RequestExample = """{"mode":"emulated","time":"2026-01-01T12:00:00"}""",
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        NoItem = "the clock is set between frames by a request of its own (PUT /v2/clock); send it before the batch",
        Statuses = [NotInWindow],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Set];

    private static Made<SetClock> ClockOf(ClockMode mode, DateTime? time, long? offsetSeconds) => (mode, time, offsetSeconds) switch
    {
        (ClockMode.Host, null, null or 0) => new SetClock(ClockValue.Host),
        (ClockMode.Host, null, { } offset) => new SetClock(ClockValue.Offset, offset * 1_000),
        (ClockMode.Host, _, _) => new WrongParameters("The clock of the machine takes no time; write offsetSeconds, or the mode fixed or emulated."),
        (_, _, not null) => new WrongParameters("offsetSeconds is for the mode host; omit it."),
        (_, null, _) => new WrongParameters($"time is missing; expected {GameTime.ExpectedFormat}."),
        (_, { } at, _) => new SetClock(mode == ClockMode.Fixed ? ClockValue.Fixed : ClockValue.Emulated, (long)(at - DateTime.UnixEpoch).TotalMilliseconds),
    };
}
