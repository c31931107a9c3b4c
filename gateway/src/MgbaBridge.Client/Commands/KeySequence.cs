using System.Globalization;

namespace MgbaBridge.Client.Commands;

/// <summary>Presses one after the other, as text <c>A 4, wait 10, Up+B tilt 10/0 2</c>.</summary>
/// <param name="Steps">The steps.</param>
public sealed record KeySequence(IReadOnlyList<KeyStep> Steps)
{
    /// <summary>Reads a sequence.</summary>
    /// <param name="text">The text.</param>
    /// <param name="frames">For how many frames is a step that has no number; null when each needs one.</param>
    /// <param name="sequence">The sequence.</param>
    /// <returns>The part that is no step, or null.</returns>
    public static string? Parse(string text, long? frames, out KeySequence sequence)
    {
        var steps = new List<KeyStep>();
        sequence = new KeySequence(steps);
        foreach (var part in text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (!KeyStep.TryParse(part, frames, out var step))
            {
                return part;
            }

            steps.Add(step);
        }

        return null;
    }

    /// <summary>Whether a step sets sensors of the cartridge.</summary>
    public bool HasSensors => Steps.Any(static step => step.Sensors is not null);

    /// <summary>As text.</summary>
    public override string ToString() => string.Join(", ", Steps);

    /// <summary>As text for the script, with sensors in its units.</summary>
    public string ToWireText() => string.Join(", ", Steps.Select(static step => step.ToWireText()));
}

/// <summary>A step of a sequence.</summary>
/// <param name="Keys">The keys to press together; none to wait.</param>
/// <param name="Frames">For how many frames.</param>
/// <param name="Sensors">What sensors of the cartridge show meanwhile, or null.</param>
public readonly record struct KeyStep(KeySet Keys, long Frames, SetSensors? Sensors = null)
{
    private const string Wait = "wait";
    private const string Light = "light";
    private const string Tilt = "tilt";
    private const string Gyro = "gyro";

    /// <summary>Reads <c>Up+B 2</c>, <c>wait 10</c>, <c>A tilt 10/-5 light 0.8 4</c>, or the same without a number where frames are given.</summary>
    public static bool TryParse(string text, long? frames, out KeyStep step)
    {
        step = default;
        var words = text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        var (keys, count, at) = (default(KeySet), frames ?? 0, 0);
        if (words.Length > 0 && !IsSensor(words[0]))
        {
            at = 1;
            if (!words[0].Equals(Wait, StringComparison.OrdinalIgnoreCase) && !(KeySet.TryParse(words[0], out keys) && keys.Count > 0))
            {
                return false;
            }
        }

        SetSensors? sensors = null;
        for (; at + 1 < words.Length && IsSensor(words[at]); at += 2)
        {
            if (With(sensors ?? default, words[at], words[at + 1]) is not { } known)
            {
                return false;
            }

            sensors = known;
        }

        step = new KeyStep(keys, count, sensors);
        if (at == words.Length)
        {
            return at > 0 && frames is not null;
        }

        var isValid = at + 1 == words.Length && at > 0 && Integers.TryParseDecimal(words[at], out count) && count > 0;
        step = step with { Frames = count };
        return isValid;
    }

    /// <summary>As text.</summary>
    public override string ToString() => string.Join(' ', [.. Names(), .. Sensors is { } sensors ? Shown(sensors) : [], Frames.ToString(CultureInfo.InvariantCulture)]);

    /// <summary>As text for the script, with sensors in its units.</summary>
    internal string ToWireText() => string.Join(' ', [.. Names(), .. Sensors is { } sensors ? Sent(sensors) : [], Frames.ToString(CultureInfo.InvariantCulture)]);

    private IEnumerable<string> Names() => Keys.Count > 0 ? [Keys.ToString()] : Sensors is null ? [Wait] : [];

    private static IEnumerable<string> Shown(SetSensors sensors)
    {
        if (sensors.Light is { } light)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{Light} {(SensorValues.Neutral with { Light = light }).Brightness}");
        }

        if (sensors is { TiltX: { } x, TiltY: { } y })
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{Tilt} {x / SensorValues.Unit}/{y / SensorValues.Unit}");
        }

        if (sensors.Gyro is { } gyro)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{Gyro} {gyro / SensorValues.Unit}");
        }
    }

    private static IEnumerable<string> Sent(SetSensors sensors) => new (string Name, long? Value)[] { ("light", sensors.Light), ("x", sensors.TiltX), ("y", sensors.TiltY), ("gyro", sensors.Gyro) }
        .Where(static one => one.Value is not null)
        .Select(static one => string.Create(CultureInfo.InvariantCulture, $"{one.Name}={one.Value}"));

    private static bool IsSensor(string word) => word is Light or Tilt or Gyro;

    // null where it is no value of this sensor, or a second one
    private static SetSensors? With(SetSensors sensors, string name, string value)
    {
        var numbers = value.Split('/');
        return name switch
        {
            Light when sensors.Light is null && TryNumber(numbers, 0, 1, out var light) => sensors with { Light = SensorValues.LightOf(light) },
            Gyro when sensors.Gyro is null && TryNumber(numbers, Limits.MinGyro / SensorValues.Unit, Limits.Gyro / SensorValues.Unit, out var gyro) => sensors with { Gyro = SensorValues.AngleOf(gyro) },
            Tilt when sensors.TiltX is null && numbers.Length == 2 && TryTilt(numbers[..1], out var x) && TryTilt(numbers[1..], out var y) => sensors with { TiltX = x, TiltY = y },
            _ => null,
        };
    }

    private static bool TryTilt(string[] numbers, out long thousandths)
    {
        var isTilt = TryNumber(numbers, Limits.MinTilt / SensorValues.Unit, Limits.Tilt / SensorValues.Unit, out var degrees);
        thousandths = isTilt ? SensorValues.AngleOf(degrees) : 0;
        return isTilt;
    }

    private static bool TryNumber(string[] numbers, double min, double max, out double number)
    {
        number = 0;
        return numbers.Length == 1 && double.TryParse(numbers[0], NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out number) && number >= min && number <= max;
    }
}
