using System.ComponentModel.DataAnnotations;
using System.Globalization;

namespace MgbaBridge.Client.Validation;

/// <summary>Validates a setting and states its limits, for error messages and docs/settings.md.</summary>
[AttributeUsage(AttributeTargets.Property)]
internal abstract class SettingAttribute : ValidationAttribute
{
    /// <summary>The accepted values, such as <c>1 ms..1 min</c>.</summary>
    public abstract string Limits { get; }

    /// <summary>Whether the value is a secret, which error messages do not show.</summary>
    public virtual bool IsSecret => false;
}

/// <summary>Limits a time. Both ends are written as <c>hours:minutes:seconds</c> and are included.</summary>
internal sealed class TimeRangeAttribute(string minimum, string maximum) : SettingAttribute
{
    private static readonly (TimeSpan Unit, string Name)[] Units =
    [
        (TimeSpan.FromDays(1), "day"), (TimeSpan.FromHours(1), "h"), (TimeSpan.FromMinutes(1), "min"), (TimeSpan.FromSeconds(1), "s"), (TimeSpan.FromMilliseconds(1), "ms"),
    ];

    /// <summary>The shortest time.</summary>
    public string Minimum { get; } = minimum;

    /// <summary>The longest time.</summary>
    public string Maximum { get; } = maximum;

    public override string Limits => $"{Text(Parse(Minimum))}..{Text(Parse(Maximum))}";

    /// <summary>Formats a time in its largest unit that divides it, such as <c>250 ms</c>.</summary>
    public static string Text(TimeSpan time)
    {
        foreach (var (unit, name) in Units)
        {
            if (time != TimeSpan.Zero && time.Ticks % unit.Ticks == 0)
            {
                return string.Create(CultureInfo.InvariantCulture, $"{time.Ticks / unit.Ticks} {name}");
            }
        }

        return time == TimeSpan.Zero ? "0" : time.ToString("c", CultureInfo.InvariantCulture);
    }

    public override bool IsValid(object? value) => value is TimeSpan time && time >= Parse(Minimum) && time <= Parse(Maximum);

    private static TimeSpan Parse(string text) => TimeSpan.Parse(text, CultureInfo.InvariantCulture);
}

/// <summary>Limits a number of bytes. Both ends are included.</summary>
internal sealed class ByteRangeAttribute(long minimum, long maximum) : SettingAttribute
{
    private static readonly string[] Units = ["", " KiB", " MiB", " GiB"];

    /// <summary>The fewest bytes.</summary>
    public long Minimum { get; } = minimum;

    /// <summary>The most bytes.</summary>
    public long Maximum { get; } = maximum;

    public override string Limits => $"{Text(Minimum)}..{Text(Maximum)}";

    /// <summary>Formats a number of bytes in its largest unit that divides it, such as <c>64 KiB</c>.</summary>
    public static string Text(long bytes)
    {
        var unit = 0;
        for (; unit < Units.Length - 1 && bytes > 0 && bytes % 1_024 == 0; unit++)
        {
            bytes /= 1_024;
        }

        return bytes.ToString(CultureInfo.InvariantCulture) + Units[unit];
    }

    public override bool IsValid(object? value) => Convert.ToInt64(value, CultureInfo.InvariantCulture) is var bytes && bytes >= Minimum && bytes <= Maximum;
}
