using System.ComponentModel.DataAnnotations;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Reads the settings and refuses wrong ones before anything starts.</summary>
public static class Settings
{
    /// <summary>Reads and validates them.</summary>
    /// <exception cref="SettingsException">One or more are wrong.</exception>
    internal static BridgeOptions Read(ConfigurationManager configuration, IReadOnlyList<string> args)
    {
        configuration.AddCommandLine(ServeArguments.Read(args));
        return Check(configuration);
    }

    /// <summary>Validates them as they are now.</summary>
    /// <exception cref="SettingsException">One or more are wrong.</exception>
    internal static BridgeOptions Check(IConfiguration configuration)
    {
        var values = Values(configuration);
        var wrong = new List<string>();
        foreach (var (key, value) in values.ToArray())
        {
            if (Error(key, value) is { } error)
            {
                wrong.Add(error);
                values.Remove(key);
            }
        }

        // what is wrong is left out, so that the rest is validated too
        var options = new ConfigurationBuilder().AddInMemoryCollection(values).Build()
            .Get<BridgeOptions>(binder => binder.ErrorOnUnknownConfiguration = true) ?? new BridgeOptions();
        options.Owned.AllowRomFolder = !string.IsNullOrEmpty(configuration[RunAnnouncement.Key]);
        options.Fleet.RunSessions = !string.IsNullOrEmpty(configuration[FleetRegistration.NodeKey]);
        wrong.AddRange(Validate(options));
        return wrong.Count == 0 ? options : throw new SettingsException(wrong);
    }

    /// <summary>The values that are set, by their names below <c>Bridge</c>. An empty section sets nothing.</summary>
    public static Dictionary<string, string?> Values(IConfiguration configuration) =>
        configuration.GetSection(BridgeOptions.Section).AsEnumerable(makePathsRelative: true)
            .Where(pair => pair.Value is { Length: > 0 } || (pair.Value is not null && !SettingsSchema.IsSection(pair.Key)))
            .ToDictionary(StringComparer.OrdinalIgnoreCase);

    private static string? Error(string key, string? value)
    {
        if (SettingsSchema.Find(key) is not { } setting)
        {
            var nearest = NearestName.Of(key, SettingsSchema.All.Keys);
            return $"There is no setting {BridgeOptions.Section}:{key}. Did you mean {BridgeOptions.Section}:{nearest}? docs/settings.md lists all settings.";
        }

        if (setting.IsList && SettingsSchema.All.ContainsKey(key))
        {
            return value is { Length: > 0 } ? $"{BridgeOptions.Section}:{key} is a list; write its items as {BridgeOptions.Section}:{key}:0 and so on, or in JSON as [\"...\"]." : null;
        }

        return setting.Expected(value ?? "") is { } expected ? $"{BridgeOptions.Section}:{key} is \"{value}\"; expected {expected}." : null;
    }

    private static IEnumerable<string> Validate(BridgeOptions options) =>
        from section in SettingsSchema.Sections
        from item in section.Items(options).Index()
        let name = $"{BridgeOptions.Section}:{section.Name.Replace(":n", $":{item.Index}", StringComparison.Ordinal)}".TrimEnd(':')
        from error in section.Settings.Select(setting => (setting.Property.Name, Error: setting.Error(item.Item)))
            .Concat(((item.Item as IValidatableObject)?.Validate(new ValidationContext(item.Item, name, null, null)) ?? []).Select(result => (Name: result.MemberNames.Single(), Error: result.ErrorMessage)))
        where error.Error is not null
        select $"{name}:{error.Name} {error.Error}";
}

/// <summary>One or more settings are wrong.</summary>
public sealed class SettingsException(IReadOnlyList<string> sentences) : Exception(string.Join(Environment.NewLine, sentences))
{
    /// <summary>One sentence for each error.</summary>
    public IReadOnlyList<string> Sentences { get; } = sentences;
}
