using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Fleet;
using MgbaBridge.Gateway.Mcp;
using MgbaBridge.Gateway.MgbaHttp;
using MgbaBridge.Gateway.Search;
using MgbaBridge.Gateway.Supervision;
using MgbaBridge.Gateway.Symbols;
using MgbaBridge.Gateway.Transport;
using MgbaBridge.Gateway.Validation;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>The settings that exist, read from the option types once.</summary>
internal static class SettingsSchema
{
    private const string EmulatorList = nameof(BridgeOptions.Emulators) + ":n";

    /// <summary>Former names of settings and sections, below <c>Bridge</c>, and the current ones. A former name keeps working; the current one wins if both are set.</summary>
    public static IReadOnlyDictionary<string, string> FormerNames { get; } = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase)
    {
        ["Http:Farewell"] = "Http:ConnectionDrain",
        ["Http:SocketPatience"] = "Http:WebSocketWriteTimeout",
        ["Http:IdempotencyKeep"] = "Http:IdempotencyRetention",
        ["Transport:HeartbeatEvery"] = "Transport:HeartbeatInterval",
        ["Transport:SilentAfter"] = "Transport:SilenceTimeout",
        ["Names"] = "Symbols",
    };

    /// <summary>The settings by their names below <c>Bridge</c>; those of the emulators are <c>Emulators:n:Id</c> and so on.</summary>
    public static IReadOnlyDictionary<string, Setting> All { get; } = new[]
    {
        SettingsOf<BridgeOptions>(""),
        SettingsOf<EmulatorOptions>(EmulatorList),
        SettingsOf<TransportOptions>(nameof(BridgeOptions.Transport)),
        SettingsOf<HttpOptions>(nameof(BridgeOptions.Http)),
        SettingsOf<SearchOptions>(nameof(BridgeOptions.Search)),
        SettingsOf<SymbolOptions>(nameof(BridgeOptions.Symbols)),
        SettingsOf<OwnedEmulatorOptions>(nameof(BridgeOptions.Owned)),
        SettingsOf<FleetOptions>(nameof(BridgeOptions.Fleet)),
        SettingsOf<McpOptions>(nameof(BridgeOptions.Mcp)),
        SettingsOf<TelemetryOptions>(nameof(BridgeOptions.Telemetry)),
        SettingsOf<CompatibilityOptions>(nameof(BridgeOptions.Compatibility)),
    }.SelectMany(settings => settings).ToDictionary(setting => setting.Name, StringComparer.OrdinalIgnoreCase);

    /// <summary>The current name of a key that may be a former one.</summary>
    public static string CurrentName(string key)
    {
        var former = FormerNames.Keys.FirstOrDefault(name =>
            key.StartsWith(name, StringComparison.OrdinalIgnoreCase) && (key.Length == name.Length || key[name.Length] == ':'));
        return former is null ? key : FormerNames[former] + key[former.Length..];
    }

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

    /// <summary>Every object that holds settings, with its name below <c>Bridge</c>.</summary>
    public static IEnumerable<(string Name, object Options)> SectionsOf(BridgeOptions options) =>
    [
        ("", options),
        (nameof(options.Transport), options.Transport),
        (nameof(options.Http), options.Http),
        (nameof(options.Search), options.Search),
        (nameof(options.Symbols), options.Symbols),
        (nameof(options.Owned), options.Owned),
        (nameof(options.Fleet), options.Fleet),
        (nameof(options.Mcp), options.Mcp),
        (nameof(options.Telemetry), options.Telemetry),
        (nameof(options.Compatibility), options.Compatibility),
        .. options.Emulators.Select((emulator, index) => (string.Create(CultureInfo.InvariantCulture, $"{nameof(options.Emulators)}:{index}"), (object)emulator)),
    ];

    private static string[] Parts(string key)
    {
        var parts = key.Split(':');
        if (parts.Length > 1 && parts[0].Equals(nameof(BridgeOptions.Emulators), StringComparison.OrdinalIgnoreCase))
        {
            parts[1] = "n";
        }

        return parts;
    }

    private static IEnumerable<Setting> SettingsOf<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(string section) =>
        from property in typeof(T).GetProperties()
        where property.CanWrite && (property.PropertyType.Namespace == nameof(System) || property.PropertyType == typeof(string[]))
        select new Setting(section.Length == 0 ? property.Name : $"{section}:{property.Name}", property);
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

    /// <summary>The default value as docs/operating.md states it, or null if there is none.</summary>
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
