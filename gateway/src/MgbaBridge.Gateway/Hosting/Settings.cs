using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.MgbaHttp;
using MgbaBridge.Gateway.Search;
using MgbaBridge.Gateway.Symbols;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Reads the settings and refuses what is wrong before anything starts.</summary>
public static class Settings
{
    /// <summary>Reads and checks them.</summary>
    /// <exception cref="SettingsException">With one sentence for each thing that is wrong.</exception>
    public static BridgeOptions Read(ConfigurationManager configuration, IReadOnlyList<string> args)
    {
        configuration.AddCommandLine(CommandLine.Read(args), CommandLine.Switches);
        return Check(configuration);
    }

    /// <summary>Checks them as they are now.</summary>
    /// <exception cref="SettingsException">With one sentence for each thing that is wrong.</exception>
    public static BridgeOptions Check(IConfiguration configuration)
    {
        var section = configuration.GetSection(BridgeOptions.Section);
        string[] unknown = [.. UnknownKeys(section)];
        if (unknown.Length > 0)
        {
            throw new SettingsException([.. unknown.Select(key => $"There is no setting {key}; docs/operating.md lists all.")]);
        }

        var options = Bind(section);
        string[] wrong = [.. options.Validate()];
        return wrong.Length == 0 ? options : throw new SettingsException(wrong);
    }

    private static BridgeOptions Bind(IConfigurationSection section)
    {
        try
        {
            return section.Get<BridgeOptions>() ?? new BridgeOptions();
        }
        catch (InvalidOperationException exception)
        {
            var hint = exception.Message.Contains("System.TimeSpan", StringComparison.Ordinal) ? "Write times as hours:minutes:seconds, such as 00:00:01." : exception.InnerException?.Message;
            throw new SettingsException([$"{exception.Message} {hint}".TrimEnd()]);
        }
    }

    private static IEnumerable<string> UnknownKeys(IConfigurationSection bridge) =>
        UnknownKeys<BridgeOptions>(bridge)
            .Concat(UnknownKeys<TransportOptions>(bridge.GetSection(nameof(BridgeOptions.Transport))))
            .Concat(UnknownKeys<HttpOptions>(bridge.GetSection(nameof(BridgeOptions.Http))))
            .Concat(UnknownKeys<SymbolOptions>(bridge.GetSection(nameof(BridgeOptions.Names))))
            .Concat(UnknownKeys<SearchOptions>(bridge.GetSection(nameof(BridgeOptions.Search))))
            .Concat(UnknownKeys<TelemetryOptions>(bridge.GetSection(nameof(BridgeOptions.Telemetry))))
            .Concat(UnknownKeys<CompatibilityOptions>(bridge.GetSection(nameof(BridgeOptions.Compatibility))))
            .Concat(bridge.GetSection(nameof(BridgeOptions.Emulators)).GetChildren().SelectMany(UnknownKeys<EmulatorOptions>));

    private static IEnumerable<string> UnknownKeys<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(IConfigurationSection section)
    {
        var known = typeof(T).GetProperties().Where(property => property.CanWrite).Select(property => property.Name).ToHashSet(StringComparer.OrdinalIgnoreCase);
        return section.GetChildren().Where(child => !known.Contains(child.Key)).Select(child => child.Path);
    }
}

/// <summary>The settings are wrong: one sentence for each thing.</summary>
public sealed class SettingsException(IReadOnlyList<string> sentences) : Exception(string.Join(Environment.NewLine, sentences))
{
    /// <summary>What is wrong.</summary>
    public IReadOnlyList<string> Sentences { get; } = sentences;
}
