using System.CommandLine;
using System.CommandLine.Parsing;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>The gateway's settings on the command line: options for the frequent ones, <c>--Bridge:Section:Name=value</c> for all.</summary>
internal static class ServeArguments
{
    private static readonly Dictionary<Option, string> Keys = new()
    {
        [Text("--http-port", "PORT", "HTTP on 127.0.0.1; default 5000, 0 takes any free port")] = "Bridge:HttpPort",
        [Text("--urls", "URL", "Listen there instead; other machines need a token (Bridge:Http:Tokens)")] = "urls",
        [Text("--emulator-host", "HOST", "Where mGBA runs; default 127.0.0.1")] = "Bridge:Emulators:0:Host",
        [Text("--emulator-port", "PORT", "The port that the script prints; default: the lowest of 8888..8903 where a script answers")] = "Bridge:Emulators:0:Port",
        [Text("--nonce", "TEXT", "Connect only to the script with this MGBA_BRIDGE_NONCE")] = "Bridge:Emulators:0:Nonce",
        [new Option<bool>("--reuse-port")
        {
            AllowMultipleArgumentsPerToken = true,
            Description = "Another gateway may take over the port (Linux)",
        }] = "Bridge:Http:ReusePort",
        [Text("--contentRoot", "FOLDER", "The folder of appsettings.json; default: the current folder")] = WebHostDefaults.ContentRootKey,
    };

    // options of ASP.NET Core, which its configuration reads by these names
    private static readonly string[] HostOptions =
    [
        "--http_ports", "--https_ports", "--environment", "--applicationName", "--webroot", "--AllowedHosts", "--detailedErrors", "--captureStartupErrors",
        "--hostingStartupAssemblies", "--preventHostingStartup", "--shutdownTimeoutSeconds",
    ];

    /// <summary>The options.</summary>
    public static IReadOnlyCollection<Option> Options => Keys.Keys;

    /// <summary>How arguments are parsed: without response files and bundles of one-letter options.</summary>
    public static ParserConfiguration Parsing { get; } = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    /// <summary>Makes a command accept settings. Settings without an option of their own are unmatched tokens of it.</summary>
    public static void AddTo(Command command)
    {
        command.TreatUnmatchedTokensAsErrors = false;
        AddTo(command, [.. Options.Select(option => option.Name)]);
    }

    /// <summary>Adds some of the options to a command that has arguments of its own; see <see cref="Read(ParseResult, IEnumerable{string})"/>.</summary>
    public static void AddTo(Command command, params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
        {
            command.Options.Add(Find(name)!);
        }
    }

    /// <summary>Arguments with option names as they are spelled above, and <c>--Section:Name value</c> as one argument with <c>=</c>.</summary>
    public static IReadOnlyList<string> Normalize(IReadOnlyList<string> arguments)
    {
        var normalized = new List<string>();
        foreach (var argument in arguments)
        {
            var name = NameOf(argument);
            if (!IsName(argument) && normalized.Count > 0 && IsSetting(normalized[^1]) && NameOf(normalized[^1]) == normalized[^1])
            {
                normalized[^1] = $"{normalized[^1]}={argument}";
            }
            else
            {
                normalized.Add((Find(name)?.Name ?? name) + argument[name.Length..]);
            }
        }

        return normalized;
    }

    /// <summary>The settings of a command without arguments of its own, as below.</summary>
    /// <exception cref="SettingsException">With one sentence for each error.</exception>
    public static string[] Read(ParseResult result) =>
        Read(result.Tokens.Where(token => token.Type is TokenType.Option or TokenType.Argument).Select(token => token.Value));

    /// <summary>The settings of a command with arguments of its own: those of its options, and arguments that are settings.</summary>
    /// <exception cref="SettingsException">With one sentence for each error.</exception>
    public static string[] Read(ParseResult result, IEnumerable<string> settings) =>
    [
        .. Options.Where(option => result.GetResult(option) is { Implicit: false }).Select(option => Setting(option, ValueOf(result.GetResult(option)!))),
        .. Read(settings),
    ];

    /// <summary>The value of an option that was given: the last of several, and true for a flag.</summary>
    public static string ValueOf(OptionResult option) => option.Tokens is [.., var last] ? last.Value : "true";

    /// <summary>The settings in arguments as <c>--name=value</c>, in their order: .NET takes the last value of a name.</summary>
    /// <exception cref="SettingsException">With one sentence for each error.</exception>
    public static string[] Read(IEnumerable<string> arguments)
    {
        var (settings, wrong, left) = (new List<string>(), new List<string>(), new Queue<string>(arguments));
        while (left.TryDequeue(out var argument))
        {
            var name = NameOf(argument);
            var (option, value) = (Find(name), argument.Length > name.Length ? argument[(name.Length + 1)..] : null);
            if (value is null && IsName(name) && left.TryPeek(out var next) && !IsName(next))
            {
                value = left.Dequeue();
            }

            value ??= option is Option<bool> ? "true" : null;
            if (!IsName(name))
            {
                wrong.Add($"{argument} is not a switch; write --name=value. {(name.StartsWith('-') ? $"Did you mean {Nearest(name)}? " : "")}{Known}");
            }
            else if (option is null && !IsSetting(name) && !HostOptions.Contains(name, StringComparer.OrdinalIgnoreCase) && value is not "") // test hosts pass sections with an empty value
            {
                wrong.Add($"There is no switch {name}. Did you mean {Nearest(name)}? {Known}");
            }
            else if (value is null)
            {
                wrong.Add($"{name} needs a value, such as {name}=VALUE.{(left.TryDequeue(out var following) ? $" {following} is an option of its own." : "")}");
            }
            else if (option is Option<bool> && !bool.TryParse(value, out _))
            {
                wrong.Add($"{name} is \"{value}\"; expected true or false.");
            }
            else
            {
                settings.Add(option is null ? $"{name}={value}" : Setting(option, value));
            }
        }

        return wrong.Count == 0 ? [.. settings] : throw new SettingsException(wrong);
    }

    /// <summary>Whether an argument is <c>--Section:Name</c>, with or without a value.</summary>
    public static bool IsSetting(string argument) => IsName(argument) && NameOf(argument).Contains(':', StringComparison.Ordinal);

    // ASP.NET Core would take a relative folder as one below the program's own
    private static string Setting(Option option, string value) =>
        $"--{Keys[option]}={(Keys[option] == WebHostDefaults.ContentRootKey && value.Length > 0 ? Path.GetFullPath(value) : value)}";

    private static string Known =>
        $"The short ones are {string.Join(", ", Options.Select(option => option.Name))}; docs/settings.md lists all settings.";

    private static string Nearest(string name) => NearestName.Of(name, [.. Options.Select(option => option.Name), "--help", "--version", "-h", "-v"]);

    private static Option? Find(string name) => Options.FirstOrDefault(option => option.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    private static string NameOf(string argument) => argument.Split('=', 2)[0];

    private static bool IsName(string argument) => argument.StartsWith("--", StringComparison.Ordinal);

    // the last of several applies
    private static Option<string> Text(string name, string valueName, string description) =>
        new(name) { AllowMultipleArgumentsPerToken = true, HelpName = valueName, Description = description };
}
