using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>The settings that exist, read from the option types once.</summary>
internal static class SettingsSchema
{
    private const string EmulatorList = nameof(BridgeOptions.Emulators) + ":n";

    /// <summary>The sections below <c>Bridge</c>.</summary>
    public static IReadOnlyList<SettingsSection> Sections { get; } =
    [
        SettingsSection.Of("", options => options),
        SettingsSection.OfEach(EmulatorList, options => options.Emulators),
        SettingsSection.Of(nameof(BridgeOptions.Transport), options => options.Transport),
        SettingsSection.Of(nameof(BridgeOptions.Http), options => options.Http),
        SettingsSection.Of(nameof(BridgeOptions.Search), options => options.Search),
        SettingsSection.Of(nameof(BridgeOptions.Symbols), options => options.Symbols),
        SettingsSection.Of(nameof(BridgeOptions.Owned), options => options.Owned),
        SettingsSection.Of(nameof(BridgeOptions.Fleet), options => options.Fleet),
        SettingsSection.Of(nameof(BridgeOptions.Mcp), options => options.Mcp),
        SettingsSection.Of(nameof(BridgeOptions.Telemetry), options => options.Telemetry),
        SettingsSection.Of($"{nameof(BridgeOptions.Doors)}:{nameof(DoorOptions.BizHawk)}", options => options.Doors.BizHawk),
        SettingsSection.Of($"{nameof(BridgeOptions.Doors)}:{nameof(DoorOptions.RetroArch)}", options => options.Doors.RetroArch),
        SettingsSection.Of($"{nameof(BridgeOptions.Doors)}:{nameof(DoorOptions.Uat)}", options => options.Doors.Uat),
        SettingsSection.Of(nameof(BridgeOptions.Compatibility), options => options.Compatibility),
    ];

    /// <summary>The settings by their names below <c>Bridge</c>; those of the emulators are <c>Emulators:n:Id</c> and so on.</summary>
    public static IReadOnlyDictionary<string, Setting> All { get; } =
        Sections.SelectMany(section => section.Settings).ToDictionary(setting => setting.Name, StringComparer.OrdinalIgnoreCase);

    /// <summary>The setting that a key below <c>Bridge</c> sets, or null if there is none.</summary>
    public static Setting? Find(string key)
    {
        var parts = Parts(key);
        return All.GetValueOrDefault(string.Join(':', parts))
            ?? (All.GetValueOrDefault(string.Join(':', parts[..^1])) is { IsList: true } list ? list : null);
    }

    /// <summary>Whether a key names a section or an item of a list, not a setting.</summary>
    public static bool IsSection(string key) =>
        All.Keys.Any(name => name.StartsWith($"{string.Join(':', Parts(key))}:", StringComparison.OrdinalIgnoreCase));

    private static string[] Parts(string key)
    {
        var parts = key.Split(':');
        if (parts.Length > 1 && parts[0].Equals(nameof(BridgeOptions.Emulators), StringComparison.OrdinalIgnoreCase))
        {
            parts[1] = "n";
        }

        return parts;
    }
}

/// <summary>Settings that stand together.</summary>
/// <param name="Name">Its name below <c>Bridge</c>; <c>n</c> is the number of an item.</param>
/// <param name="Settings">What can be set.</param>
/// <param name="Items">The objects that hold the values.</param>
internal sealed record SettingsSection(string Name, IReadOnlyList<Setting> Settings, Func<BridgeOptions, IReadOnlyList<object>> Items)
{
    /// <summary>One object.</summary>
    public static SettingsSection Of<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(string name, Func<BridgeOptions, T> item)
        where T : class => OfEach<T>(name, options => [item(options)]);

    /// <summary>A list of objects.</summary>
    public static SettingsSection OfEach<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(string name, Func<BridgeOptions, IReadOnlyList<T>> items)
        where T : class => new(
            name,
            [
                .. from property in typeof(T).GetProperties()
                   where property.CanWrite && (property.PropertyType.Namespace == nameof(System) || property.PropertyType == typeof(string[]))
                   select new Setting(name.Length == 0 ? property.Name : $"{name}:{property.Name}", property),
            ],
            items);
}

/// <summary>One setting.</summary>
/// <param name="Name">Its name below <c>Bridge</c>.</param>
/// <param name="Property">The property that holds it.</param>
internal sealed record Setting(string Name, PropertyInfo Property)
{
    private readonly ValidationAttribute? _rule = Property.GetCustomAttribute<ValidationAttribute>();

    private readonly Type _type = Nullable.GetUnderlyingType(Property.PropertyType) ?? Property.PropertyType;

    /// <summary>Whether it is a list, whose items have the keys <c>Name:0</c>, <c>Name:1</c> and so on.</summary>
    public bool IsList => _type == typeof(string[]);

    /// <summary>Whether its value is a secret, which is not shown or passed to others.</summary>
    public bool IsSecret => _rule is SettingAttribute { IsSecret: true };

    /// <summary>The accepted values, or null if there are no limits.</summary>
    public string? Limits => _rule switch
    {
        RangeAttribute range => string.Create(CultureInfo.InvariantCulture, $"{range.Minimum}..{range.Maximum}"),
        RequiredAttribute => "a name or an address",
        SettingAttribute setting => setting.Limits,
        _ => null,
    };

    /// <summary>What the text has to be, or null if it can be converted. An empty text sets nothing.</summary>
    public string? Expected(string text) =>
        text.Length == 0 ? null
        : _type == typeof(TimeSpan) ? TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out _) ? null : "hours:minutes:seconds, such as 00:00:01"
        : _type == typeof(bool) ? bool.TryParse(text, out _) ? null : "true or false"
        : _type == typeof(int) ? int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out _) ? null : Limits
        : _type == typeof(double) ? double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _) ? null : $"a number, {Limits}"
        : _type == typeof(long) ? long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out _) ? null : Limits
        : null;

    /// <summary>What is wrong with the value in these options, to follow the key, or null.</summary>
    public string? Error(object options)
    {
        var value = Property.GetValue(options);
        return _rule is null || _rule.IsValid(value) ? null
            : IsSecret ? $"is not valid; expected {Limits}."
            : $"is {Text(value)}; expected {Limits}.";
    }

    /// <summary>The default value as docs/settings.md states it, or null if there is none.</summary>
    public string? Default(object options) => (Property.GetValue(options), _rule) switch
    {
        (null or string[], _) => null,
        (TimeSpan time, _) => TimeRangeAttribute.Text(time),
        (bool value, _) => value ? "true" : "false",
        (var value, ByteRangeAttribute) => ByteRangeAttribute.Text(Convert.ToInt64(value, CultureInfo.InvariantCulture)),
        (var value, _) => Convert.ToString(value, CultureInfo.InvariantCulture),
    };

    private static string Text(object? value) => value switch
    {
        string text => $"\"{text}\"",
        string[] texts => $"\"{string.Join("\", \"", texts)}\"",
        TimeSpan time => time.ToString("c", CultureInfo.InvariantCulture),
        _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "",
    };
}
