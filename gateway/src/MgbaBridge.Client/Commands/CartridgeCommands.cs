using System.Globalization;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadSensors
{
    /// <summary>What they show, and whether the camera sees a picture.</summary>
    public static (SensorValues Values, bool HasPicture) Parse(Reply reply)
    {
        var values = reply.Values;
        return (
            new SensorValues(Number(ref values, "light"u8), Number(ref values, "x"u8), Number(ref values, "y"u8), Number(ref values, "gyro"u8)),
            values.ReadTo("camera"u8) ? values.Boolean : throw new UnexpectedReplyException(Row));
    }

    private static long Number(ref ValueReader values, ReadOnlySpan<byte> name) => values.ReadTo(name) ? values.Integer : throw new UnexpectedReplyException(Row);
}

/// <summary>What the sensors of a cartridge show.</summary>
/// <param name="Light">What the game counts: 0 (bright) to 255 (dark).</param>
/// <param name="TiltX">Thousandths of a degree, the right edge down.</param>
/// <param name="TiltY">Thousandths of a degree, the far edge down.</param>
/// <param name="Gyro">Thousandths of a degree a second, clockwise.</param>
public readonly record struct SensorValues(long Light, long TiltX, long TiltY, long Gyro)
{
    /// <summary>What they show that nobody has set.</summary>
    public static readonly SensorValues Neutral = new(Limits.Light, 0, 0, 0);

    /// <summary>The values that there are.</summary>
    public static readonly string ExpectedFormat =
        $"Sensors have light from 0 to {Limits.Light}, tiltX and tiltY from {Limits.MinTilt} to {Limits.Tilt}, and gyro from {Limits.MinGyro} to {Limits.Gyro}.";

    /// <summary>Thousandths of a degree in a degree.</summary>
    public const double Unit = 1_000;

    /// <summary>Whether there are such values.</summary>
    [JsonIgnore]
    public bool IsPossible => Light is >= 0 and <= Limits.Light && TiltX is >= Limits.MinTilt and <= Limits.Tilt && TiltY is >= Limits.MinTilt and <= Limits.Tilt
        && Gyro is >= Limits.MinGyro and <= Limits.Gyro;

    /// <summary>The brightness: 0 is dark, 1 is bright.</summary>
    [JsonIgnore]
    public double Brightness => Math.Round(1 - ((double)Light / Limits.Light), 3);

    /// <summary>The count of a brightness.</summary>
    public static long LightOf(double brightness) => (long)Math.Round((1 - brightness) * Limits.Light);

    /// <summary>The thousandths of degrees.</summary>
    public static long AngleOf(double degrees) => (long)Math.Round(degrees * Unit);
}

public readonly partial record struct ReadClock
{
    /// <summary>How the clock runs.</summary>
    public static ClockValue Parse(Reply reply)
    {
        var values = reply.Values;
        return values.ReadTo("mode"u8) && values.GetText() is var mode && values.ReadTo("value"u8) && values.Integer is var value && values.ReadTo("time"u8)
            ? new ClockValue(mode, value, values.Integer)
            : throw new UnexpectedReplyException(Row);
    }
}

/// <summary>How the clock of a cartridge runs.</summary>
/// <param name="Mode"><c>host</c>, <c>offset</c>, <c>fixed</c> or <c>emulated</c>.</param>
/// <param name="Value">Milliseconds: of the difference, or since 1970.</param>
/// <param name="Time">What the game reads, in milliseconds since 1970.</param>
public readonly record struct ClockValue(string Mode, long Value, long Time)
{
    /// <summary>What sets a clock to this one.</summary>
    public SetClock ToCommand() => Mode switch
    {
        Host => new SetClock(Host),
        Emulated => new SetClock(Emulated, Time),
        _ => new SetClock(Mode, Value),
    };

    /// <summary>The time of the machine.</summary>
    public const string Host = "host";

    /// <summary>The time of the machine and a difference.</summary>
    public const string Offset = "offset";

    /// <summary>Always the same time.</summary>
    public const string Fixed = "fixed";

    /// <summary>A time that advances with the frames.</summary>
    public const string Emulated = "emulated";
}

public readonly partial record struct SetClock
{
    private const int MaxOffsetDigits = 10;

    /// <summary>What its text is.</summary>
    public const string ExpectedFormat =
        "host, host+SECONDS, host-SECONDS, fixed:TIME or emulated:TIME, with which the game reads times from 2000 to 2099; TIME has no zone, as in 2026-01-01T12:00";

    /// <summary>Reads it as an option of emulators is written: <c>fixed:2026-01-01T12:00</c>; a time alone advances with the frames.</summary>
    public static bool TryParse(string text, out SetClock clock)
    {
        clock = new SetClock(ClockValue.Host);
        if (text.StartsWith(ClockValue.Host, StringComparison.Ordinal))
        {
            var isOffset = TryOffset(text[ClockValue.Host.Length..], out var seconds);
            clock = isOffset ? new SetClock(ClockValue.Offset, seconds * 1_000) : clock;
            return isOffset || text == ClockValue.Host;
        }

        var words = text.Split(':', 2);
        var (mode, time) = words is [ClockValue.Fixed or ClockValue.Emulated, _] ? (words[0], words[1]) : (ClockValue.Emulated, text);
        var isTime = GameTime.TryParse(time, out var at);
        clock = isTime ? new SetClock(mode, (long)(at - DateTime.UnixEpoch).TotalMilliseconds) : clock;
        return isTime;
    }

    // the emulator checks the time that it makes, by the clock of its machine
    private static bool TryOffset(string text, out long seconds)
    {
        seconds = 0;
        return text is ['+' or '-', _, ..] && text.Length <= 1 + MaxOffsetDigits && text.Skip(1).All(char.IsAsciiDigit)
            && long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out seconds) && Math.Abs(seconds) <= -Limits.MinClockValue / 1_000;
    }
}

public readonly partial record struct ReadCartridge
{
    /// <summary>What is known, by key.</summary>
    public static IReadOnlyDictionary<string, (string Value, string Origin)> Parse(Reply reply)
    {
        var parts = new Dictionary<string, (string, string)>();
        var values = reply.Values;
        while (values.Read())
        {
            var key = values.GetText();
            var value = values.Read() ? values.GetText() : throw new UnexpectedReplyException(Row);
            parts[key] = (value, values.Read() ? values.GetText() : throw new UnexpectedReplyException(Row));
        }

        return parts;
    }
}
