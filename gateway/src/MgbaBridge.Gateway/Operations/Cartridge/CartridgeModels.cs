using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Cartridge;

/// <summary>What the sensors of the cartridge show.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Light">How bright the light is: 0 dark, 1 bright.</param>
/// <param name="Level">The same as the bars that games with a light sensor show: 0 to 10.</param>
/// <param name="Tilt">By how many degrees the right edge, and the edge away from the player, are down.</param>
/// <param name="Gyro">By how many degrees a second the console is turned clockwise.</param>
/// <param name="Camera">Whether the camera sees a picture; otherwise darkness.</param>
public readonly record struct SensorsAnswer(long Frame, Epoch Epoch, double Light, int Level, IReadOnlyList<double> Tilt, double Gyro, bool Camera)
{
    /// <summary>The answer made from a reply.</summary>
    internal static SensorsAnswer Of(Reply reply)
    {
        var (values, camera) = ReadSensors.Parse(reply);
        return new SensorsAnswer(
            reply.Frame, reply.Epoch, values.Brightness, LightLevel.OfCount(values.Light), [values.TiltX / SensorValues.Unit, values.TiltY / SensorValues.Unit], values.Gyro / SensorValues.Unit, camera);
    }
}

/// <summary>How the clock of the cartridge runs.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Mode">`host`: it is the time of the emulator's machine; `fixed`: it stands; `emulated`: it advances with the frames.</param>
/// <param name="Time">What the game reads, without a zone.</param>
/// <param name="OffsetSeconds">By how many seconds it is before the machine's; absent where it is not.</param>
public readonly record struct ClockAnswer(long Frame, Epoch Epoch, string Mode, string Time, long? OffsetSeconds)
{
    /// <summary>The answer made from a reply.</summary>
    internal static ClockAnswer Of(Reply reply)
    {
        var clock = ReadClock.Parse(reply);
        return new ClockAnswer(
            reply.Frame,
            reply.Epoch,
            clock.Mode == ClockValue.Offset ? ClockValue.Host : clock.Mode,
            DateTime.UnixEpoch.AddMilliseconds(clock.Time).ToString("s", CultureInfo.InvariantCulture),
            clock.Mode == ClockValue.Offset ? clock.Value / 1_000 : null);
    }
}

/// <summary>Where the clock of a cartridge has its time from.</summary>
public enum ClockMode
{
    /// <summary>The emulator's machine.</summary>
    Host,

    /// <summary>It stands.</summary>
    Fixed,

    /// <summary>The frames that ran.</summary>
    Emulated,
}

/// <summary>By how many degrees the console is tilted.</summary>
/// <param name="X">The right edge down.</param>
/// <param name="Y">The edge away from the player down.</param>
internal readonly record struct Tilt(double X, double Y);

/// <summary>Tilts, as lists of two numbers.</summary>
internal sealed class TiltKind : ParameterKind<Tilt>
{
    /// <summary>The most degrees.</summary>
    public const double Max = Limits.Tilt / SensorValues.Unit;

    public override ParameterShape Shape { get; } = new("array", string.Create(CultureInfo.InvariantCulture, $"two numbers from {-Max} to {Max}, as in [10, -5]"))
    {
        ItemType = "number",
        Min = (decimal)-Max,
        Max = (decimal)Max,
        MinItems = 2,
        MaxItems = 2,
    };

    internal override bool TryParse(string text, out Tilt value) => TryMake([.. text.Split(',').Select(NumberOf)], out value);

    internal override bool TryRead(ref Utf8JsonReader reader, out Tilt value)
    {
        value = default;
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            return reader.TokenType == JsonTokenType.String && TryParse(reader.GetString()!, out value);
        }

        var numbers = new List<double>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (reader.TokenType is not (JsonTokenType.Number or JsonTokenType.String) || numbers.Count > 2)
            {
                return false;
            }

            numbers.Add(reader.TokenType == JsonTokenType.Number && reader.TryGetDouble(out var number) ? number : NumberOf(reader.TokenType == JsonTokenType.String ? reader.GetString()! : ""));
        }

        return TryMake(numbers, out value) || (numbers.Count == 2 && numbers.Find(static number => number is < -Max or > Max) is var beyond and not 0
            ? throw new ParameterException(string.Create(CultureInfo.InvariantCulture, $"{beyond} is out of range; expected {Shape.Expected}."))
            : false);
    }

    private static bool TryMake(List<double> numbers, out Tilt value)
    {
        value = numbers is [var x, var y] ? new Tilt(x, y) : default;
        return numbers.Count == 2 && numbers.All(static number => number is >= -Max and <= Max);
    }

    private static double NumberOf(string text) => double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : double.NaN;
}

/// <summary>Times that the clocks of cartridges can have.</summary>
internal sealed class GameTimeKind : WrittenKind<DateTime>
{
    public override ParameterShape Shape { get; } = new("string", GameTime.ExpectedFormat);

    internal override bool TryParse(string text, out DateTime value) => GameTime.TryParse(text, out value);
}

/// <summary>Clocks of cartridges, as the options of emulators are written.</summary>
internal sealed class ClockKind : WrittenKind<SetClock>
{
    /// <summary>The only one.</summary>
    public static ClockKind Instance { get; } = new();

    public override ParameterShape Shape { get; } = new("string", SetClock.ExpectedFormat) { MaxLength = 64 };

    internal override bool TryParse(string text, out SetClock value) => SetClock.TryParse(text, out value);
}

/// <summary>The bars of games with a light sensor, as mGBA's window has them.</summary>
internal static class LightLevel
{
    /// <summary>The most bars.</summary>
    public const int Max = 10;

    // how bright it is, of 255, from each number of bars on
    private static readonly int[] From = [22, 27, 33, 40, 49, 64, 84, 106, 131, 161, 205];

    /// <summary>The bars of what a game counts.</summary>
    public static int OfCount(long count) => Math.Max(0, Array.FindLastIndex(From, from => Limits.Light - count >= from));

    /// <summary>What a game counts where it shows so many bars.</summary>
    public static long CountOf(int level) => Limits.Light - From[level];
}

/// <summary>The JSON of sensors and clocks.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(SensorsAnswer))]
[JsonSerializable(typeof(ClockAnswer))]
[JsonSerializable(typeof(DoneAnswer))]
internal sealed partial class CartridgeJson : JsonSerializerContext;
