using System.CommandLine;
using System.CommandLine.Parsing;
using MgbaBridge.Gateway.Validation;

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
        [HostText("--http_ports")] = "http_ports",
        [HostText("--https_ports")] = "https_ports",
        [HostText("--environment")] = "environment",
        [HostText("--applicationName")] = "applicationName",
        [HostText("--webroot")] = "webroot",
        [HostText("--AllowedHosts")] = "AllowedHosts",
        [HostText("--detailedErrors")] = "detailedErrors",
        [HostText("--captureStartupErrors")] = "captureStartupErrors",
        [HostText("--hostingStartupAssemblies")] = "hostingStartupAssemblies",
        [HostText("--preventHostingStartup")] = "preventHostingStartup",
        [HostText("--shutdownTimeoutSeconds")] = "shutdownTimeoutSeconds",
    };

    /// <summary>The options.</summary>
    public static IReadOnlyCollection<Option> Options => Keys.Keys;

    /// <summary>How arguments are parsed: without response files and bundles of one-letter options.</summary>
    public static ParserConfiguration Parsing { get; } = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    /// <summary>Makes a command accept settings. Settings without an option of their own are unmatched tokens of it.</summary>
    public static void AddTo(Command command)
    {
        command.TreatUnmatchedTokensAsErrors = false;
        foreach (var option in Options)
        {
            command.Options.Add(option);
        }
    }

    /// <summary>Adds some of the options to a command that has arguments of its own; see <see cref="Read(ParseResult, IEnumerable{string})"/>.</summary>
    public static void AddTo(Command command, params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
        {
            command.Options.Add(Options.Single(option => option.Name == name));
        }
    }

    /// <summary>Arguments with option names as they are spelled above, and <c>--Section:Name value</c> as one argument with <c>=</c>.</summary>
    public static IReadOnlyList<string> Normalize(IReadOnlyList<string> arguments)
    {
        var normalized = new List<string>();
        foreach (var argument in arguments)
        {
            var name = NameOf(argument);
            if (normalized.Count > 0 && IsSettingWithoutValue(normalized[^1]) && !IsName(argument))
            {
                normalized[^1] = $"{normalized[^1]}={argument}";
            }
            else if (Options.FirstOrDefault(option => option.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } option)
            {
                normalized.Add(option.Name + argument[name.Length..]);
            }
            else
            {
                normalized.Add(argument);
            }
        }

        return normalized;
    }

    /// <summary>The settings in arguments without a verb, as below.</summary>
    /// <exception cref="SettingsException">With one sentence for each error.</exception>
    public static string[] Read(IReadOnlyList<string> arguments)
    {
        var command = new Command("serve");
        AddTo(command);
        return Read(command.Parse(Normalize(arguments), Parsing));
    }

    /// <summary>The settings of a command with arguments of its own: those of its options, and arguments that are settings.</summary>
    /// <exception cref="SettingsException">With one sentence for each error.</exception>
    public static string[] Read(ParseResult result, IEnumerable<string> settings) =>
    [
        .. Keys.Where(key => result.GetResult(key.Key) is { Implicit: false }).Select(key => Setting(key.Key, result.GetResult(key.Key)!.Tokens[^1].Value)),
        .. Read([.. settings]),
    ];

    /// <summary>The settings as <c>--name=value</c>, in the order of the arguments: .NET takes the last value of a name.</summary>
    /// <exception cref="SettingsException">With one sentence for each error.</exception>
    public static string[] Read(ParseResult result)
    {
        var (settings, wrong) = (new List<string>(), result.Errors.Select(Sentence).ToList());
        var isUnknown = false;
        Option? option = null;
        var others = result.CommandResult.Children.OfType<OptionResult>().Where(other => !Options.Contains(other.Option)).SelectMany(other => other.Tokens).ToArray();
        foreach (var token in result.Tokens.Where(token => !others.Any(other => ReferenceEquals(other, token)))) // without values of the verb's own options
        {
            if (token.Type == TokenType.Option)
            {
                option = Options.FirstOrDefault(option => option.Name == token.Value); // null: an option of the verb, not a setting
                if (option is Option<bool>)
                {
                    settings.Add($"--{Keys[option]}=true");
                }
            }
            else if (option is not null && result.GetResult(option)!.Tokens.Any(value => ReferenceEquals(value, token)))
            {
                settings.Add(Setting(option, token.Value));
            }
            else if (token.Type == TokenType.Argument && option is Option<bool> && !IsName(token.Value))
            {
                wrong.Add($"{option.Name} is \"{token.Value}\"; expected true or false.");
                option = null;
            }
            else if (token.Type == TokenType.Argument && Error(token.Value) is { } sentence)
            {
                if (IsName(token.Value) || !isUnknown)
                {
                    wrong.Add(sentence);
                }

                isUnknown = IsName(token.Value) && !token.Value.Contains('=', StringComparison.Ordinal); // what follows may be its value
            }
            else if (token.Type == TokenType.Argument)
            {
                settings.Add(token.Value);
                option = null;
            }
        }

        return wrong.Count == 0 ? [.. settings] : throw new SettingsException(wrong);
    }

    // ASP.NET Core would take a relative folder as one below the program's own
    private static string Setting(Option option, string value) =>
        $"--{Keys[option]}={(Keys[option] == WebHostDefaults.ContentRootKey && value.Length > 0 ? Path.GetFullPath(value) : value)}";

    private static string Sentence(ParseError error) => error.SymbolResult switch
    {
        OptionResult { Tokens.Count: 0 } option => NeedsValue(option.Option.Name),
        _ => error.Message,
    };

    // what is wrong with an argument that is not one of the options, or null
    private static string? Error(string argument)
    {
        var name = NameOf(argument);
        return !IsName(argument) ? $"{argument} is not a switch; write --name=value. {Known}"
            // test hosts pass sections with an empty value
            : argument.EndsWith('=') ? null
            : !IsSetting(name) ? $"There is no switch {name}. Did you mean {NearestName.Of(name, [.. Options.Select(option => option.Name), "--help", "--version"])}? {Known}"
            : name == argument ? NeedsValue(name)
            : null;
    }

    private static string NeedsValue(string name) => $"{name} needs a value, such as {name}=VALUE.";

    private static string Known =>
        $"The short ones are {string.Join(", ", Options.Where(option => !option.Hidden).Select(option => option.Name))}; docs/operating.md lists all settings.";

    /// <summary>Whether an argument is <c>--Section:Name</c>, with or without a value.</summary>
    public static bool IsSetting(string argument) => IsName(argument) && NameOf(argument).Contains(':', StringComparison.Ordinal);

    private static string NameOf(string argument) => argument.Split('=', 2)[0];

    private static bool IsName(string argument) => argument.StartsWith("--", StringComparison.Ordinal);

    private static bool IsSettingWithoutValue(string argument) => IsSetting(argument) && !argument.Contains('=', StringComparison.Ordinal);

    private static Option<string> Text(string name, string valueName, string description)
    {
        var option = new Option<string>(name)
        {
            // the last of several applies
            AllowMultipleArgumentsPerToken = true,
            HelpName = valueName,
            Description = description,
        };
        option.Validators.Add(static result =>
        {
            if (result.Tokens.FirstOrDefault(token => IsName(token.Value)) is { } next)
            {
                result.AddError($"{NeedsValue(result.Option.Name)} {next.Value} is an option of its own.");
            }
        });
        return option;
    }

    // options of ASP.NET Core
    private static Option<string> HostText(string name)
    {
        var option = Text(name, "VALUE", "");
        option.Hidden = true;
        return option;
    }
}
